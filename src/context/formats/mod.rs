//! Converts histories to and from the formats of providers and SDKs (E11).
//!
//! Content that a format cannot represent is never dropped silently: a note in the text names it. Names of speakers,
//! pins and metadata are ours; they are written only where a format has a field for them.

pub mod ai_sdk;
pub mod ai_sdk_ui;
pub mod anthropic;
pub mod gemini;
pub mod openai;
mod parts;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod refused;
pub mod responses;
mod sides;
#[cfg(test)]
mod tests;
mod turns;

use crate::model::{Invalid, Json, Message, MessageDraft};

/// A message format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// OpenAI's chat completions, and the many compatible APIs.
    OpenAi,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's contents.
    Gemini,
    /// `ModelMessage[]` of the AI SDK.
    AiSdk,
    /// `UIMessage[]` of the AI SDK.
    AiSdkUi,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] =
        [Self::OpenAi, Self::OpenAiResponses, Self::Anthropic, Self::Gemini, Self::AiSdk, Self::AiSdkUi];

    /// Its public name.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::AiSdk => "ai-sdk",
            Self::AiSdkUi => "ai-sdk-ui",
        }
    }

    /// The format with this name.
    pub fn from_name(field: &str, name: &str) -> Result<Self, Invalid> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        let reason = "must be openai, openai-responses, anthropic, gemini, ai-sdk or ai-sdk-ui";
        known.ok_or_else(|| Invalid::value(field, reason))
    }

    /// Writes messages in this format.
    pub fn write(self, messages: &[Message]) -> Json {
        match self {
            Self::OpenAi => openai::write(messages),
            Self::OpenAiResponses => responses::write(messages),
            Self::Anthropic => anthropic::write(messages),
            Self::Gemini => gemini::write(messages),
            Self::AiSdk => ai_sdk::write(messages),
            Self::AiSdkUi => ai_sdk_ui::write(messages),
        }
    }

    /// Reads messages from this format.
    pub fn read(self, value: &Json) -> Result<Vec<MessageDraft>, Invalid> {
        match self {
            Self::OpenAi => openai::read(value),
            Self::OpenAiResponses => responses::read(value),
            Self::Anthropic => anthropic::read(value),
            Self::Gemini => gemini::read(value),
            Self::AiSdk => ai_sdk::read(value),
            Self::AiSdkUi => ai_sdk_ui::read(value),
        }
    }
}
