//! Figures as people read them.

use alloc::string::{String, ToString};

/// A whole number with a comma between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn commas_stand_between_thousands() {
        let figures = [0, 12, 123, 1_234, 123_456, 1_234_567].map(grouped);
        assert_eq!(figures, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }
}
