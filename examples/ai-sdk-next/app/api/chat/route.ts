import { streamText, wrapLanguageModel } from "ai";
import { memoryMiddleware } from "keepsake/ai-sdk";
import { memory } from "../../../lib/memory";
import { model } from "../../../lib/model";

/** `POST { conversation, prompt }` answers with the text of the reply, streamed. */
export async function POST(request: Request): Promise<Response> {
  const { conversation, prompt }: { conversation: string; prompt: string } = await request.json();
  const middleware = memoryMiddleware(await memory(), { session: conversation });
  const result = streamText({
    model: wrapLanguageModel({ model, middleware }),
    instructions: "Be kind.",
    prompt,
    // The response ends when everything is recorded: a serverless host may stop the process after that.
    onEnd: () => middleware.idle(),
  });
  return result.toTextStreamResponse();
}
