//! Edits applied to serde values, as `pkg-template/src/edits.ts` does with objects.

use crate::format::LIST_KEYS;
use alloc::vec::Vec;
use serde_json::Value;

/// The key under which a request holds its messages.
pub(super) fn list_key(request: &Value) -> Option<&'static str> {
    LIST_KEYS.into_iter().find(|key| request.get(key).is_some_and(Value::is_array))
}

/// The messages of a request, or of a bare array.
pub(super) fn messages(request: &Value) -> Option<&Vec<Value>> {
    match request {
        Value::Array(messages) => Some(messages),
        _ => request.get(list_key(request)?)?.as_array(),
    }
}

/// Applies edits to a request, as JavaScript does with its own objects.
pub(super) fn edited(request: &Value, edits: &Value) -> Value {
    let (Some(items), Some(inputs)) = (edits["messages"].as_array(), messages(request)) else {
        return request.clone();
    };
    let list: Vec<Value> = items.iter().map(|item| message(item, inputs)).collect();
    match list_key(request) {
        None => Value::Array(list),
        Some(key) => {
            let mut request = request.clone();
            request[key] = Value::Array(list);
            request
        }
    }
}

fn message(item: &Value, inputs: &[Value]) -> Value {
    match item {
        Value::Number(index) => inputs[index.as_u64().unwrap_or_default() as usize].clone(),
        item if item.get("new").is_some() => built(&item["new"], inputs),
        item => {
            let base = inputs[item["base"].as_u64().unwrap_or_default() as usize].clone();
            with(base, &item["set"], inputs)
        }
    }
}

/// The value that a template describes.
pub(super) fn built(template: &Value, inputs: &[Value]) -> Value {
    if let Some(place) = template["ref"].as_array() {
        let input = inputs[place[0].as_u64().unwrap_or_default() as usize].clone();
        let found = place[1..].iter().try_fold(input, |mut value, step| at(&mut value, step).map(Value::take));
        return with(found.unwrap_or_default(), &template["set"], inputs);
    }
    if let Some(items) = template["list"].as_array() {
        return items.iter().map(|item| built(item, inputs)).collect();
    }
    if let Some(entries) = template["obj"].as_object() {
        let entries = entries.iter().map(|(key, value)| (key.clone(), built(value, inputs)));
        return Value::Object(entries.collect());
    }
    template["lit"].clone()
}

/// A value with those at some paths replaced.
fn with(mut base: Value, set: &Value, inputs: &[Value]) -> Value {
    for change in set.as_array().into_iter().flatten() {
        let path = change[0].as_array().map(Vec::as_slice).unwrap_or_default();
        let place = path.iter().try_fold(&mut base, |value, step| match (value, step) {
            // Only a key may be new: a result without content gets one.
            (Value::Object(map), Value::String(key)) => Some(map.entry(key.clone()).or_insert(Value::Null)),
            (value, step) => at(value, step),
        });
        if let Some(place) = place {
            *place = built(&change[1], inputs);
        }
    }
    base
}

fn at<'a>(value: &'a mut Value, step: &Value) -> Option<&'a mut Value> {
    match step {
        Value::String(key) => value.get_mut(key.as_str()),
        step => value.get_mut(step.as_u64()? as usize),
    }
}
