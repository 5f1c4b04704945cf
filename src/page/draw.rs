//! stub
use super::face::Faces;
use super::PageShape;
use alloc::vec::Vec;
/// c
#[derive(Debug)]
pub struct Drawing;
/// c
pub struct Page { pub png: Vec<u8>, pub width: u32, pub height: u32, pub chars: u32, pub rows: u32 }
impl Drawing {
 pub fn new(_s: &PageShape) -> Drawing { Drawing }
 pub fn skip(&mut self, _t: &str, _f: &mut Faces, _n: u64) {}
 pub fn next(&mut self, _t: &str, _f: &mut Faces, _h: &dyn Fn(u32) -> u32) -> Option<Page> { None }
}
