//! Session files: one file a kind. The host parses the lines; which of them make up the conversation is decided here.

mod claude_code;

pub use claude_code::{Chain, main_chain};
