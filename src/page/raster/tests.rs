use super::*;
use alloc::vec;
use proptest::prelude::*;

/// Pixel by pixel: whether there is ink.
fn slowly(grid: &Grid, cells: &[Cell], glyphs: &[Vec<u8>], height: usize) -> Vec<u8> {
    let mut out = vec![0xFF; grid.stride * height];
    let glyph_stride = grid.cell_bits.div_ceil(8);
    for (number, cell) in cells.iter().enumerate() {
        for y in 0..grid.cell_height {
            for x in 0..grid.cell_bits {
                let ink = glyphs[cell.glyph()][y * glyph_stride + x / 8] >> (7 - x % 8) & 1 == 1;
                let (left, top) = (number % grid.columns * grid.cell_bits, number / grid.columns * grid.cell_height);
                let place = (left + x) / 8;
                if ink != cell.is_inverse() && place < grid.stride && top + y < height {
                    out[(top + y) * grid.stride + place] &= !(0x80 >> ((left + x) % 8));
                }
            }
        }
    }
    out
}

proptest! {
    #[test]
    fn as_pixel_by_pixel(
        (cell_bits, cell_height, columns) in (1..40usize, 1..30usize, 1..20usize),
        (strip, height) in (0..5usize, 0..90usize),
        bytes in prop::collection::vec(any::<u8>(), 1000),
        cells in prop::collection::vec((0..5u32, any::<bool>()), 0..70),
    ) {
        let grid = Grid { columns, cell_bits, cell_height, stride: (columns * cell_bits).div_ceil(8) + strip };
        // Bits beyond the width of a glyph are anything.
        let size = cell_bits.div_ceil(8) * cell_height;
        let glyphs: Vec<Vec<u8>> = (0..5).map(|glyph| bytes.iter().cycle().skip(211 * glyph).take(size).copied().collect()).collect();
        let cells: Vec<Cell> =
            cells.into_iter().map(|(glyph, inverse)| if inverse { Cell(glyph).inverse() } else { Cell(glyph) }).collect();
        let mut out = vec![0xFF; grid.stride * height];
        grid.draw(&cells, |cell| &glyphs[cell.glyph()], &mut out);
        prop_assert_eq!(out, slowly(&grid, &cells, &glyphs, height));
    }

    #[test]
    fn a_square_is_transposed(square in prop::array::uniform8(any::<u64>())) {
        let mut turned = square;
        transpose(&mut turned);
        for (row, word) in turned.iter().enumerate() {
            for (column, byte) in word.to_le_bytes().into_iter().enumerate() {
                prop_assert_eq!(byte, square[column].to_le_bytes()[row]);
            }
        }
    }
}

#[test]
fn a_letter_of_a_face() {
    let mut faces = Faces::new("6x12", 7, 13, &[]).unwrap();
    let cells = ['H', 'i'].map(|letter| faces.look(letter).cells[0]);
    let shape = crate::page::PageShape {
        font: "6x12".into(),
        cell_width: 7,
        cell_height: 13,
        width: 25,
        height: 26,
        columns: 3,
        rows: 2,
    };
    let mut out = vec![1, 2, 3];
    draw(&[Cell::BLANK, cells[0], cells[1].inverse()], &faces, &shape, 20, 1, &mut out);
    assert_eq!(out.len(), 4 * 20, "four bytes hold a line of 25 pixels");
    let ink = |x: usize, y: usize| out[4 * y + x / 8] >> (7 - x % 8) & 1 == 0;
    for y in 0..20 {
        for x in 0..32 {
            let of = |cell: Cell, x: usize| y < 13 && faces.glyph(cell)[y] >> (7 - x) & 1 == 1;
            let wanted = match x {
                7..14 => of(cells[0], x - 7),
                14..21 => y < 13 && !of(cells[1], x - 14),
                _ => false,
            };
            assert_eq!(ink(x, y), wanted, "at {x}, {y}");
        }
    }
    draw(&[], &faces, &shape, 3, 4, &mut out);
    assert_eq!(out, [0xFF; 3 * 13], "13 bytes hold 25 pixels of four bits");
}
