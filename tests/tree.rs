//! Two clients of one conversation do random things, and after each of them the tree agrees with a plain model of it, and the store holds
//! nothing but whole turns. It is 4,096 conversations of up to 120 things each; more where `PROPTEST_CASES` says so.
#![cfg(not(target_arch = "wasm32"))]

#[path = "support/tree/mod.rs"]
mod support;

use palimpsest::tree::{Tree, TreeError};
use proptest::prelude::*;
use support::client::Client;
use support::compare::agree;
use support::damage::{saved, stored};
use support::ops::{Op, ops};
use support::server::Server;

fn crosses_threads<T: Send + Sync>() {}

#[test]
fn it_may_be_sent_to_other_threads() {
    crosses_threads::<Tree>();
    crosses_threads::<TreeError>();
}

fn thousands() -> ProptestConfig {
    let told = ProptestConfig::default();
    ProptestConfig { cases: told.cases.max(4096), ..told }
}

proptest! {
    #![proptest_config(thousands())]

    #[test]
    fn what_can_be_saved_is_saved((rows, head) in stored()) {
        saved(&rows, &head)?;
    }

    #[test]
    fn it_agrees_with_a_plain_model(ops in ops(120)) {
        let mut server = Server::default();
        let mut clients = [Client::new("a"), Client::new("b")];
        for (second, op) in &ops {
            let client = &mut clients[usize::from(*second)];
            if matches!(op, Op::Import) && !client.tree.is_part() {
                client.import(&mut server)?;
                let other = &mut clients[usize::from(!second)];
                other.run(&Op::Reopen, &mut server)?;
                agree(&mut other.tree, &other.model)?;
            } else {
                client.run(op, &mut server)?;
            }
            let client = &mut clients[usize::from(*second)];
            agree(&mut client.tree, &client.model)?;
        }
    }
}
