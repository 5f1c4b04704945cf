//! Anthropic Messages. Rules: Anthropic's API reference and the refusals users were shown.

use super::{Envelope, Format, Host, Rules, SYSTEM_SAYS, Sight, said, text_block};
use crate::message::edit::{Item, Path, Step, Template};
use crate::message::{At, Kind, Message, Part, Role, Shape, Span, Store, Value};
use alloc::vec;
use alloc::vec::Vec;

/// The format.
#[derive(Debug)]
pub struct Anthropic;

static RULES: Rules = Rules {
    first_user: true,
    turns: true,
    alternate: false,
    blank: true,
    system_anywhere: false,
    system_as_user: false,
    images_from_user: false,
    words: &[
        ("first-role", "messages: first message must use the \"user\" role"),
        ("unanswered-call", "`tool_use` ids were found without `tool_result` blocks immediately after"),
        ("orphan-result", "unexpected `tool_use_id` found in `tool_result` blocks"),
        ("result-order", "`tool_use` ids were found without `tool_result` blocks immediately after"),
        ("empty-content", "messages: text content blocks must be non-empty"),
        ("duplicate-result", "each tool_use must have a single result"),
        (
            "system-role",
            "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \"system\" as an input message role.",
        ),
    ],
};

/// Models that know no `system` inside `messages`.
static OLDER: Rules = Rules { system_as_user: true, ..RULES };

impl Format for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    /// 346 for Claude 4 models (docs: tool use, pricing).
    fn tools_prompt(&self) -> u32 {
        346
    }

    fn is_makers(&self, model: &str) -> bool {
        model.contains("claude")
    }

    fn sight(&self, envelope: Value<'_>) -> Sight {
        if envelope.has("contents") || envelope.has("input") {
            return Sight::Foreign;
        }
        let tool = envelope.get("tools").and_then(|tools| tools.items().next());
        match tool {
            Some(tool) if tool.has("input_schema") => Sight::Mine,
            Some(tool) if tool.has("function") => Sight::Foreign,
            _ if envelope.has("system") || envelope.has("anthropic_version") => Sight::Mine,
            _ if envelope.has("max_completion_tokens") => Sight::Foreign,
            _ => Sight::Open,
        }
    }

    fn sight_of_message(&self, message: Value<'_>) -> Sight {
        if !matches!(message.text("role"), Some("user" | "assistant" | "system")) || message.has("tool_calls") {
            return Sight::Foreign;
        }
        let mut sight = Sight::Open;
        for block in message.get("content").into_iter().flat_map(blocks_of) {
            match block.text("type") {
                Some(
                    "tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "server_tool_use" | "document",
                ) => {
                    return Sight::Mine;
                }
                Some("image") if block.get("source").is_some() => return Sight::Mine,
                Some("image_url" | "input_audio" | "tool-call" | "tool-result" | "reasoning") => {
                    sight = Sight::Foreign;
                }
                _ => {}
            }
        }
        sight
    }

    fn envelope<'a>(&self, envelope: Value<'a>) -> Envelope<'a> {
        Envelope {
            model: envelope.text("model"),
            system: envelope.get("system").and_then(Value::some),
            tools: envelope.get("tools").and_then(Value::some),
            max_output: envelope.get("max_tokens").and_then(Value::f64).map(|n| n as u32),
        }
    }

    fn question(&self, _: Value<'_>, model: Option<&str>, [told, words]: [&str; 2], output: u32) -> Template {
        let mut body: Vec<_> = model.map(|model| ("model", Template::text(model))).into_iter().collect();
        body.push(("max_tokens", Template::Number(output)));
        body.push(("system", Template::text(told)));
        body.push(("messages", Template::List(vec![said("user", words)])));
        Template::Object(body)
    }

    fn read(&self, message: Value<'_>, from: u32) -> Option<Message> {
        let mut role = match message.text("role")? {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => Role::Other,
        };
        // Most messages are one text, and a list that grows begins with room for four.
        let mut parts = Vec::with_capacity(1);
        match message.get("content").and_then(Value::some) {
            Some(content) if content.shape() == Shape::String => {
                let mut part = Part::new(Kind::Text, from, At::STRING);
                part.body = content.span();
                part.bytes = content.bytes();
                parts.push(part);
            }
            Some(content) => {
                for (index, block) in blocks_of(content).enumerate() {
                    read_block(block, from, At::block(index), &mut parts);
                }
            }
            None => {}
        }
        let first = message.get("content").and_then(|content| blocks_of(content).next());
        let told = role == Role::User && first.and_then(|block| block.text("text")) == Some(SYSTEM_SAYS);
        if let Some(part) = parts.first_mut().filter(|part| told && part.kind == Kind::Text) {
            part.system = true;
            role = Role::System;
        }
        Some(Message { role, origin: from, parts, whole: true, bytes: message.bytes(), overhead: 0 })
    }

    fn rules(&self, host: Host) -> &'static Rules {
        if host.system_inside { &RULES } else { &OLDER }
    }

    fn path(&self, part: &Part) -> Path {
        let mut path = if part.at == At::STRING { vec![Step::Key("content")] } else { block_path(part.at) };
        let key = match part.kind {
            Kind::Text if part.at != At::STRING => "text",
            Kind::Reasoning => "thinking",
            Kind::Call => "input",
            Kind::Result => "content",
            _ => return path,
        };
        path.push(Step::Key(key));
        path
    }

    fn write(&self, message: &Message, store: &Store) -> Item {
        let list = || {
            let blocks = message.parts.iter().enumerate().filter(|(_, part)| !part.inside);
            Template::List(blocks.map(|(i, _)| block(&message.parts[i..], store)).collect())
        };
        if !store.is_input(message.origin) {
            let role = if message.role == Role::Assistant { "assistant" } else { "user" };
            return Item::New(Template::Object(vec![("role", Template::text(role)), ("content", list())]));
        }
        if !message.whole {
            let mut set = vec![(vec![Step::Key("content")], list())];
            if message.parts.first().is_some_and(|part| part.system && !store.is_input(part.from)) {
                set.insert(0, (vec![Step::Key("role")], Template::text("user")));
            }
            return Item::Change(message.origin, set);
        }
        let set = changes(&message.parts, &[], store);
        if set.is_empty() { Item::Keep(message.origin) } else { Item::Change(message.origin, set) }
    }
}

fn blocks_of(content: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let list = (content.shape() == Shape::Array).then_some(content);
    list.into_iter().flat_map(Value::items)
}

fn read_block(block: Value<'_>, from: u32, at: At, parts: &mut Vec<Part>) {
    let inside = at.inner != At::NONE;
    let mut part = Part::new(Kind::Opaque, from, at);
    part.bytes = block.bytes();
    part.inside = inside;
    part.marker = block.get("cache_control").and_then(Value::some).map(|_| (from, at));
    let content = block.get("content").and_then(Value::some);
    match block.text("type").unwrap_or_default() {
        "text" => {
            part.kind = Kind::Text;
            part.body = block.text_span("text");
        }
        "thinking" => {
            part.kind = Kind::Reasoning;
            part.body = block.text_span("thinking");
            part.name = block.text_span("signature");
        }
        "redacted_thinking" => {
            part.kind = Kind::Reasoning;
            part.name = block.text_span("data");
        }
        kind @ ("tool_use" | "server_tool_use" | "mcp_tool_use") => {
            part.kind = Kind::Call;
            part.hosted = kind != "tool_use";
            part.id = block.text_span("id");
            part.name = block.text_span("name");
            if let Some(input) = block.get("input") {
                part.body = input.span();
                part.json = input.shape() != Shape::String;
            }
        }
        "tool_result" if !inside => {
            part.kind = Kind::Result;
            part.id = block.text_span("tool_use_id");
            part.error = block.get("is_error").and_then(Value::bool) == Some(true);
            part.bytes = content.map_or(0, Value::bytes);
            if let Some(content) = content.filter(|content| content.shape() != Shape::Array) {
                part.body = content.span();
                part.json = content.shape() != Shape::String;
            }
            let outer = at.block;
            parts.push(part);
            for (index, inner) in content.into_iter().flat_map(blocks_of).enumerate() {
                read_block(inner, from, At::inner(outer, index), parts);
            }
            return;
        }
        kind if kind.ends_with("_tool_result") => {
            part.kind = Kind::Result;
            part.hosted = true;
            part.id = block.text_span("tool_use_id");
            part.body = content.map_or(Span::default(), Value::span);
            part.json = content.is_some_and(|content| content.shape() != Shape::String);
        }
        "image" => {
            part.kind = Kind::Image;
            if let Some(source) = block.get("source") {
                let data = source.text_span("data");
                let url = source.text_span("url");
                part.body = if data.is_empty() { url } else { data };
            }
        }
        "document" => part.kind = Kind::Media,
        _ => {
            part.body = block.span();
            part.json = block.shape() != Shape::String;
        }
    }
    parts.push(part);
}

/// The changes of parts that something takes the place of, or that have a new id; paths begin after `within`.
fn changes(parts: &[Part], within: &[Step], store: &Store) -> Vec<(Path, Template)> {
    let mut set = Vec::new();
    for part in parts {
        if part.is_renamed() {
            let key = if part.kind == Kind::Call { "id" } else { "tool_use_id" };
            let path = vec![Step::Key("content"), Step::Index(part.at.block), Step::Key(key)];
            set.push((path, Template::text(store.str(part.id_from, part.id))));
        }
        if part.is_replaced() {
            let words = Template::text(store.own(part.instead));
            let block = part.kind == Kind::Image;
            set.push((Anthropic.path(part), if block { marked(part, words) } else { words }));
        }
    }
    set.into_iter().map(|(path, template)| (path[within.len()..].to_vec(), template)).collect()
}

/// The block that the first of `parts` begins.
fn block(parts: &[Part], store: &Store) -> Template {
    let part = &parts[0];
    if !store.is_input(part.from) {
        return own_block(part, store);
    }
    if part.at == At::STRING {
        return text_block(Template::of(part.from, vec![Step::Key("content")]));
    }
    if part.is_replaced() && part.kind != Kind::Result {
        return marked(part, Template::text(store.own(part.instead)));
    }
    let within = vec![Step::Key("content"), Step::Index(part.at.block)];
    let inner = parts[1..].iter().take_while(|part| part.inside).count();
    let set = changes(&parts[..=inner], &within, store);
    Template::Ref(part.from, within, set)
}

/// A block of words that bears the part's cache marker.
fn marked(part: &Part, words: Template) -> Template {
    let mut block = text_block(words);
    if let (Template::Object(entries), Some((from, at))) = (&mut block, part.marker) {
        let mut path = block_path(at);
        path.push(Step::Key("cache_control"));
        entries.push(("cache_control", Template::of(from, path)));
    }
    block
}

/// Where a block stands.
fn block_path(at: At) -> Path {
    let mut path = vec![Step::Key("content"), Step::Index(at.block)];
    if at.inner != At::NONE {
        path.extend([Step::Key("content"), Step::Index(at.inner)]);
    }
    path
}

fn own_block(part: &Part, store: &Store) -> Template {
    let words = Template::text(store.str(part.from, part.body));
    if part.kind == Kind::Image {
        let source = Template::Object(vec![
            ("type", Template::text("base64")),
            ("media_type", Template::text("image/png")),
            ("data", words),
        ]);
        return Template::Object(vec![("type", Template::text("image")), ("source", source)]);
    }
    if part.kind != Kind::Result {
        return marked(part, words);
    }
    Template::Object(vec![
        ("type", Template::text("tool_result")),
        ("tool_use_id", Template::text(store.str(part.id_from, part.id))),
        ("content", words),
        ("is_error", Template::Bool(true)),
    ])
}
