//! How much of a path is loaded.

use super::*;

fn keep(path: &[Brief], load: Load) -> usize {
    let mut resume = Resume::new(load);
    for brief in path.iter().rev() {
        if !resume.wants() {
            break;
        }
        resume.read(brief, 10);
    }
    resume.keep()
}
fn messages(most: u32) -> Load {
    Load { messages: Some(most), tokens: None }
}
fn tokens(most: u64) -> Load {
    Load { messages: None, tokens: Some(most) }
}

#[test]
fn no_result_is_parted_from_its_call() {
    let path = [person("0"), calls(&["a", "b"]), result("a"), result("b"), says("4"), says("5")];
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|most| keep(&path, messages(most))), [0, 1, 2, 2, 2, 5, 6, 6]);
    assert_eq!([0, 9, 10, 49, 50, 60].map(|most| keep(&path, tokens(most))), [0, 2, 1, 2, 5, 6]);
    assert_eq!(keep(&path, Load::default()), 6);
    assert_eq!(keep(&path[..4], messages(1)), 3, "at least the newest unit");
    assert_eq!(keep(&path[..3], messages(1)), 2);
}

#[test]
fn a_person_speaks_first_where_that_keeps_half() {
    let path = [person("0"), says("1"), person("2"), says("3"), says("4"), says("5"), person("6"), says("7")];
    assert_eq!([2, 3, 4, 5, 6, 7].map(|most| keep(&path, messages(most))), [2, 2, 2, 5, 6, 6]);
}

#[test]
fn ids_that_repeat_part_nothing() {
    let step = [calls(&["same"]), result("same")];
    let path: Vec<Brief> = [person("0")].into_iter().chain((0..5).flat_map(|_| step.clone())).collect();
    assert_eq!([1, 2, 3, 4, 5].map(|most| keep(&path, messages(most))), [2, 2, 2, 4, 4]);
    let late = [calls(&["same"]), calls(&["same"]), result("same"), result("same")];
    assert_eq!(keep(&late, messages(3)), 4);
    let nameless = [person("0"), calls(&["x", "y"]), result(""), result("")];
    assert_eq!([1, 2, 3].map(|most| keep(&nameless, messages(most))), [3, 3, 3]);
}

#[test]
fn results_that_answer_nothing_do_not_load_everything() {
    let mut path = vec![person("0"); 20];
    path.push(result("orphan"));
    path.extend([person("1"), says("2"), calls(&["a"]), result("a"), result("a")]);
    assert_eq!([2, 3, 4, 5, 6, 7].map(|most| keep(&path, messages(most))), [4, 3, 4, 5, 5, 7]);
}

#[test]
fn what_is_not_wanted_is_not_read() {
    let mut resume = Resume::new(messages(3));
    let mut read = 0;
    while resume.wants() {
        resume.read(&if read % 2 == 0 { says("") } else { person("") }, 1);
        read += 1;
    }
    assert_eq!((read, resume.keep()), (4, 2));
}
