// Converts between content parts of LangChain and blocks of a session.

import { type Block, type BlockInput, isBlock } from "../../wire/messages.js";
import type { Json } from "../../wire/types.js";

/** The fields of a part. */
export type Fields = { [name: string]: Json };

/** The field, and the block type, for data that has no place in our blocks. */
const OWN = "langchain";
const MEDIA = ["image", "audio", "video", "file"];
const IN_URL = /^data:([^;,]+);base64,(.*)$/s;

/** Types with a special meaning in a session: a part of such a type would be returned as another one. */
const READ = ["text", "thought", "thinking", "tool_use", "tool_result", "document", ...MEDIA, OWN];

/** A part as a block; if possible one that search and context understand. */
export function fromPart(part: Json): BlockInput {
  const wrapped = { type: OWN, part };
  if (typeof part !== "object" || part === null || Array.isArray(part)) return wrapped;
  const { type, text, reasoning, thinking, signature, id, name, input, args, image_url: image } = part;
  if (type === "text" && typeof text === "string" && !(OWN in part)) return part as BlockInput;
  if (type === "reasoning" && typeof reasoning === "string") {
    return marked({ type: "thought", text: reasoning }, part, "reasoning");
  }
  if (type === "thinking" && typeof thinking === "string") {
    // Anthropic accepts reasoning only with its signature.
    const signed = typeof signature === "string" ? { signature } : {};
    return marked({ type: "thought", text: thinking, ...signed }, part, "thinking");
  }
  if (typeof id === "string" && typeof name === "string") {
    if (type === "tool_use" && isFilled(input)) {
      return marked({ type, id, name, input }, part, "id", "name", "input");
    }
    if (type === "tool_call" && isFilled(args)) {
      return marked({ type: "tool_use", id, name, input: args }, part, "id", "name", "args");
    }
  }
  if (type === "image_url" && typeof image === "object" && image !== null && !Array.isArray(image)) {
    const { url, ...rest } = image;
    if (typeof url === "string") return marked(placed(url), { ...part, image_url: rest });
  }
  if (MEDIA.includes(`${type}`)) {
    const { url, data, mime_type, mimeType = mime_type } = part;
    const mediaType = typeof mimeType === "string" ? { mediaType: mimeType } : {};
    if (typeof url === "string") return marked({ type: "file", ...mediaType, url }, part, "url");
    if (typeof data === "string") return marked({ type: "file", ...mediaType, data }, part, "data");
  }
  return typeof type !== "string" || READ.includes(type) || OWN in part ? wrapped : (part as BlockInput);
}

const isFilled = (value: Json | undefined): value is Json => value !== undefined && value !== null;

/** The block with the other fields of the part, without those that the block already has. */
function marked(block: BlockInput, part: Fields, ...told: string[]): BlockInput {
  const rest = Object.fromEntries(Object.entries(part).filter(([name]) => !told.includes(name)));
  return { ...block, [OWN]: rest } as BlockInput;
}

function placed(url: string): BlockInput {
  const [, mediaType, data] = url.match(IN_URL) ?? [];
  return mediaType && data !== undefined ? { type: "file", mediaType, data } : { type: "file", url };
}

/** The original part of a block. */
export function toPart(block: Block): Json {
  const { [OWN]: rest, part, ...fields } = block as Fields;
  if (block.type === OWN && part !== undefined) return part;
  if (typeof rest !== "object" || rest === null || Array.isArray(rest)) return block as Json;
  const { type, image_url: image } = rest;
  const { text, url, data, mediaType, id, name, input } = fields;
  if (type === "reasoning" || type === "thinking") return { ...rest, [type]: text as Json };
  if (type === "tool_use") return { ...rest, id, name, input } as Json;
  if (type === "tool_call") return { ...rest, id, name, args: input } as Json;
  if (type === "image_url") {
    return { ...rest, image_url: { ...(image as Fields), url: url ?? `data:${mediaType};base64,${data}` } };
  }
  return { ...rest, ...(url === undefined ? { data: data as Json } : { url }) };
}

/** A block of any origin in LangChain's format. */
export function shownPart(block: Block): Json {
  if (isBlock(block, "thought")) return { type: "reasoning", reasoning: block.text };
  if (!isBlock(block, "file")) return block as Json;
  const { mediaType, name, url, data, id } = block;
  const kind = mediaType?.split("/")[0] ?? "";
  const part: Fields = {
    type: MEDIA.includes(kind) ? kind : "file",
    ...(mediaType !== undefined && !mediaType.endsWith("/*") && { mimeType: mediaType }),
    ...(url !== undefined && { url }),
    ...(data !== undefined && { data }),
    ...(id !== undefined && { fileId: id }),
  };
  return name === undefined ? part : { ...part, metadata: { filename: name } };
}
