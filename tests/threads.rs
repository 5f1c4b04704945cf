//! The core's types may be sent to other threads and shared between them.
#![cfg(feature = "std")]

use palimpsest::ladder::{Policy, Report};
use palimpsest::message::{Doc, Message, Store};
use palimpsest::meter::Meter;
use palimpsest::model::ModelFacts;
use palimpsest::request::{Input, Job, Measure};

fn crosses_threads<T: Send + Sync>() {}

#[test]
fn core_types_are_send_and_sync() {
    crosses_threads::<Job>();
    crosses_threads::<Input>();
    crosses_threads::<Measure>();
    crosses_threads::<Report>();
    crosses_threads::<Policy>();
    crosses_threads::<Doc>();
    crosses_threads::<Message>();
    crosses_threads::<Store>();
    crosses_threads::<Meter>();
    crosses_threads::<ModelFacts>();
    crosses_threads::<palimpsest::Error>();
    crosses_threads::<palimpsest::Compacted>();
}
