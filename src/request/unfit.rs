//! What is too large when nothing more may be given up.

use super::measure::Beside;
use crate::ladder::{Fill, Policy, grouped};
use crate::message::{Message, Role};
use alloc::format;
use alloc::string::String;

/// Says what does not fit, and names the largest thing that must stay.
pub fn too_large(live: &[Message], stands: Fill, beside: Beside, policy: &Policy) -> String {
    let beyond = |most: Option<u64>, now: u64| most.filter(|&most| now > most);
    if let Some(most) = beyond(policy.most_images, stands.images) {
        return format!(
            "{} pictures are left that may not be given up, and at most {most} may be sent.",
            stands.images
        );
    }
    if stands.refused > 0 {
        return format!("{} pictures are larger than the provider takes.", stands.refused);
    }
    if let Some(above) = policy.crowd.filter(|&above| stands.images > above && stands.large > 0) {
        return format!(
            "With more than {above} pictures, {} of them are larger than the provider takes.",
            stands.large
        );
    }
    if let Some(most) = beyond(policy.most_bytes, stands.bytes) {
        return format!(
            "{} bytes are left that may not be given up, and at most {} may be sent.",
            grouped(stands.bytes),
            grouped(most)
        );
    }
    let (tokens, what) = largest(live, beside);
    format!(
        "{} tokens do not fit the {} that a window of {} leaves beside {} for the answer, and nothing more may be given up. \
         The largest part is {what} with {} tokens: shorten it, or take a model with a larger window.",
        grouped(policy.calibrated(stands.tokens)),
        grouped(policy.most),
        grouped(policy.window),
        grouped(policy.reserve),
        grouped(policy.calibrated(tokens))
    )
}

fn largest(live: &[Message], beside: Beside) -> (u64, String) {
    let mut largest = (u64::from(beside.system), String::from("the system prompt"));
    let mut consider = |tokens: u64, what: &dyn Fn() -> String| {
        if tokens > largest.0 {
            largest = (tokens, what());
        }
    };
    consider(u64::from(beside.tools), &|| "the definitions of tools".into());
    for message in live {
        let number = message.origin;
        consider(message.tokens(), &|| match message.role {
            Role::System => format!("the system message {number}"),
            Role::User => format!("the user's message {number}"),
            Role::Assistant => format!("the assistant's message {number}"),
            _ => format!("message {number}"),
        });
    }
    largest
}
