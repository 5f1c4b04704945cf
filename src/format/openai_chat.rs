//! OpenAI Chat Completions, and the many hosts that speak it. Rules: OpenAI's API reference and the refusals users were shown.

use super::{Envelope, Format, Host, Rules, Sight, said, text_block};
use crate::message::edit::{Item, Path, Step, Template};
use crate::message::{At, Kind, Message, Part, Role, Shape, Span, Store, Value};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The format.
#[derive(Debug)]
pub struct OpenAiChat;

/// Fields beside the content that hold words, by the number [`At::field`] gives them.
const FIELDS: [&str; 4] = ["reasoning_content", "reasoning", "refusal", "function_call"];
const FUNCTION_CALL: u32 = 3;

static WORDS: [(&str, &str); 7] = [
    (
        "unanswered-call",
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    ),
    (
        "orphan-result",
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    ),
    ("empty-content", "Invalid value for 'content': expected a string, got null."),
    ("missing-id", "Missing required parameter: 'tool_call_id'."),
    ("first-role", "Conversation roles must alternate user/assistant/user/assistant/..."),
    ("role-order", "Conversation roles must alternate user/assistant/user/assistant/..."),
    ("system-position", "System message must be at the beginning."),
];

static RULES: Rules = Rules {
    first_user: false,
    turns: false,
    alternate: false,
    blank: false,
    system_anywhere: true,
    system_as_user: false,
    images_from_user: true,
    words: &WORDS,
};

/// vLLM, llama.cpp and others, whose chat templates refuse what OpenAI takes.
static STRICT: Rules = Rules { first_user: true, alternate: true, ..RULES };

impl Format for OpenAiChat {
    fn name(&self) -> &'static str {
        "openai-chat"
    }

    fn sight(&self, envelope: Value<'_>) -> Sight {
        if envelope.has("contents") || envelope.has("input") || envelope.has("system") {
            return Sight::Foreign;
        }
        match first_tool(envelope) {
            Some(tool) if tool.get("function").is_some() => Sight::Mine,
            Some(tool) if tool.get("input_schema").is_some() => Sight::Foreign,
            _ if envelope.has("max_completion_tokens") => Sight::Mine,
            _ => Sight::Open,
        }
    }

    fn sight_of_message(&self, message: Value<'_>) -> Sight {
        let role = message.text("role");
        let tool_role = matches!(role, Some("tool" | "developer" | "function"));
        let content = message.get("content").and_then(Value::some);
        let blocks = content.filter(|content| content.shape() == Shape::Array);
        let types = || blocks.into_iter().flat_map(Value::items).filter_map(|b| b.text("type"));
        if role.is_none() || types().any(|t| matches!(t, "tool-call" | "tool-result" | "tool_use" | "tool_result")) {
            Sight::Foreign
        } else if (tool_role && !types().any(|t| t.contains("-")))
            || message.has("tool_calls")
            || types().any(|t| matches!(t, "image_url" | "input_audio" | "refusal"))
        {
            Sight::Mine
        } else {
            Sight::Open
        }
    }

    fn envelope<'a>(&self, envelope: Value<'a>) -> Envelope<'a> {
        let limit = |key| envelope.get(key).and_then(Value::f64).map(|n| n as u32);
        Envelope {
            model: envelope.text("model"),
            // A bare array of messages may come with instructions beside it.
            system: envelope.get("system").and_then(Value::some),
            tools: envelope.get("tools").and_then(Value::some),
            max_output: limit("max_completion_tokens").or_else(|| limit("max_tokens")),
        }
    }

    fn question(&self, envelope: Value<'_>, model: Option<&str>, [told, words]: [&str; 2], output: u32) -> Template {
        let mut body: Vec<_> = model.map(|model| ("model", Template::text(model))).into_iter().collect();
        body.push(("messages", Template::List(vec![said("system", told), said("user", words)])));
        // Models that think refuse the one name, many hosts do not know the other: the caller's is right, without one none is.
        let limits = ["max_completion_tokens", "max_tokens"];
        if let Some(limit) = limits.into_iter().find(|limit| envelope.has(limit)) {
            // By the newer name thoughts count, too: a model that thinks has to get to its first word, as in the caller's own request.
            let thinks = limit == limits[0] && model == envelope.text("model");
            let own = envelope.get(limit).and_then(Value::f64).filter(|_| thinks);
            body.push((limit, Template::Number(output.max(own.unwrap_or_default() as u32))));
        }
        Template::Object(body)
    }

    fn read(&self, message: Value<'_>, from: u32) -> Option<Message> {
        let role = match message.text("role")? {
            "system" | "developer" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" | "function" => Role::Tool,
            _ => Role::Other,
        };
        // Most messages are one text, and a list that grows begins with room for four.
        let mut parts = Vec::with_capacity(1);
        for (number, field) in FIELDS.into_iter().enumerate().take(2) {
            words_of_field(message, field, number, Kind::Reasoning, from, &mut parts);
        }
        read_content(message, role, from, &mut parts);
        words_of_field(message, FIELDS[2], 2, Kind::Text, from, &mut parts);
        if role == Role::Assistant {
            read_calls(message, from, &mut parts);
        }
        Some(Message { role, origin: from, parts, whole: true, bytes: message.bytes(), overhead: 0 })
    }

    fn rules(&self, host: Host) -> &'static Rules {
        if host.strict { &STRICT } else { &RULES }
    }

    fn has_detail(&self) -> bool {
        true
    }
    fn path(&self, part: &Part) -> Path {
        let At { block, inner } = part.at;
        match (part.kind, block, inner) {
            (Kind::Call, At::NONE, _) => vec![Step::Key("function_call"), Step::Key("arguments")],
            (Kind::Call, index, _) => {
                vec![Step::Key("tool_calls"), Step::Index(index), Step::Key("function"), Step::Key("arguments")]
            }
            (_, At::NONE, At::NONE) => vec![Step::Key("content")],
            (_, At::NONE, field) => vec![Step::Key(FIELDS[field as usize])],
            (Kind::Text, index, _) => vec![Step::Key("content"), Step::Index(index), Step::Key("text")],
            (_, index, _) => vec![Step::Key("content"), Step::Index(index)],
        }
    }

    fn write(&self, message: &Message, store: &Store) -> Item {
        if !store.is_input(message.origin) {
            return Item::New(new_message(message, store));
        }
        let mut set = Vec::new();
        for part in message.parts.iter().filter(|part| part.is_renamed()) {
            let path = match part.kind {
                Kind::Call => vec![Step::Key("tool_calls"), Step::Index(part.at.block), Step::Key("id")],
                _ => vec![Step::Key("tool_call_id")],
            };
            set.push((path, Template::text(store.str(part.id_from, part.id))));
        }
        if !message.whole {
            set.push((vec![Step::Key("content")], blocks(message, store)));
        } else {
            for part in message.parts.iter().filter(|part| part.is_replaced()) {
                let words = Template::text(store.own(part.instead));
                let block = part.kind == Kind::Image;
                set.push((self.path(part), if block { text_block(words) } else { words }));
            }
        }
        if set.is_empty() { Item::Keep(message.origin) } else { Item::Change(message.origin, set) }
    }
}

fn first_tool(envelope: Value<'_>) -> Option<Value<'_>> {
    envelope.get("tools")?.items().next()
}

fn words_of_field(message: Value<'_>, field: &str, number: usize, kind: Kind, from: u32, parts: &mut Vec<Part>) {
    let span = message.text_span(field);
    if !span.is_empty() {
        let mut part = Part::new(kind, from, At::field(number as u32));
        part.body = span;
        parts.push(part);
    }
}

fn read_content(message: Value<'_>, role: Role, from: u32, parts: &mut Vec<Part>) {
    let content = message.get("content").and_then(Value::some);
    if role == Role::Tool {
        let mut result = Part::new(Kind::Result, from, At::STRING);
        // Before `tool_calls`, a function was answered by its name, with no id.
        result.hosted = message.text("role") == Some("function");
        result.id = message.text_span("tool_call_id");
        result.bytes = content.map_or(4, Value::bytes);
        if let Some(content) = content.filter(|content| content.shape() != Shape::Array) {
            result.body = content.span();
            result.json = content.shape() != Shape::String;
        }
        parts.push(result);
    }
    let Some(content) = content else { return };
    match content.shape() {
        Shape::String if role != Role::Tool => {
            let mut part = Part::new(Kind::Text, from, At::STRING);
            part.body = content.span();
            part.bytes = content.bytes();
            parts.push(part);
        }
        Shape::Array => {
            for (index, block) in content.items().enumerate() {
                let mut part = read_block(block, from, At::block(index));
                part.inside = role == Role::Tool;
                parts.push(part);
            }
        }
        _ => {}
    }
}

fn read_block(block: Value<'_>, from: u32, at: At) -> Part {
    let kind = match block.text("type") {
        Some("text") => Kind::Text,
        Some("image_url") => Kind::Image,
        Some("input_audio" | "file") => Kind::Media,
        _ => Kind::Opaque,
    };
    let mut part = Part::new(kind, from, at);
    part.bytes = block.bytes();
    match kind {
        Kind::Text => part.body = block.text_span("text"),
        Kind::Image => {
            let image = block.get("image_url");
            let inner = image.map_or(Span::default(), |image| image.text_span("url"));
            let plain = block.text_span("image_url");
            part.body = if inner.is_empty() { plain } else { inner };
            part.name = image.map_or(Span::default(), |image| image.text_span("detail"));
        }
        Kind::Opaque => {
            part.body = block.span();
            part.json = block.shape() != Shape::String;
        }
        _ => {}
    }
    part
}

fn read_calls(message: Value<'_>, from: u32, parts: &mut Vec<Part>) {
    let calls = message.get("tool_calls").and_then(Value::some);
    for (index, call) in calls.into_iter().flat_map(Value::items).enumerate() {
        // What is no object is no call, and goes through untouched.
        if call.shape() != Shape::Object {
            continue;
        }
        let body = call.get("function").or_else(|| call.get("custom")).unwrap_or(call);
        let mut part = Part::new(Kind::Call, from, At::block(index));
        part.id = call.text_span("id");
        part.id_from = from;
        part.name = body.text_span("name");
        if let Some(arguments) = body.get("arguments").or_else(|| body.get("input")) {
            part.body = arguments.span();
            part.json = arguments.shape() != Shape::String;
        }
        part.bytes = call.bytes();
        parts.push(part);
    }
    if let Some(call) = message.get("function_call").and_then(Value::some) {
        let mut part = Part::new(Kind::Call, from, At::field(FUNCTION_CALL));
        part.hosted = true;
        part.name = call.text_span("name");
        part.body = call.text_span("arguments");
        part.bytes = call.bytes();
        parts.push(part);
    }
}

/// True for a part that stands among the blocks of the content.
fn is_block(part: &Part) -> bool {
    !matches!(part.kind, Kind::Call | Kind::Result) && (part.at.block != At::NONE || part.at == At::STRING)
}

fn block(part: &Part, store: &Store) -> Template {
    if part.is_replaced() {
        return text_block(Template::text(store.own(part.instead)));
    }
    if !store.is_input(part.from) && part.kind == Kind::Image {
        return own_page(part, store);
    }
    if !store.is_input(part.from) {
        return text_block(Template::text(store.str(part.from, part.body)));
    }
    if part.at == At::STRING {
        return text_block(Template::of(part.from, vec![Step::Key("content")]));
    }
    Template::of(part.from, vec![Step::Key("content"), Step::Index(part.at.block)])
}

/// A page of this package's own.
fn own_page(part: &Part, store: &Store) -> Template {
    let url = format!("data:image/png;base64,{}", store.str(part.from, part.body));
    let mut image = vec![("url", Template::Text(url))];
    let detail = store.str(part.from, part.name);
    if !detail.is_empty() {
        image.push(("detail", Template::text(detail)));
    }
    Template::Object(vec![("type", Template::text("image_url")), ("image_url", Template::Object(image))])
}

fn blocks(message: &Message, store: &Store) -> Template {
    Template::List(message.parts.iter().filter(|part| is_block(part)).map(|part| block(part, store)).collect())
}

fn new_message(message: &Message, store: &Store) -> Template {
    let words = |part: &Part| Template::text(store.str(part.from, part.body));
    let (role, mut entries) = match message.parts.as_slice() {
        [result, ..] if result.kind == Kind::Result => {
            let id = Template::text(store.str(result.id_from, result.id));
            ("tool", vec![("tool_call_id", id), ("content", words(result))])
        }
        [only] if message.role == Role::System => ("system", vec![("content", words(only))]),
        [only] if only.own => ("user", vec![("content", words(only))]),
        _ => ("user", vec![("content", blocks(message, store))]),
    };
    entries.insert(0, ("role", Template::text(role)));
    Template::Object(entries)
}
