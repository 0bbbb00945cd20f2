"use client";

import { useCompletion } from "@ai-sdk/react";

export default function Page() {
  const { completion, input, handleInputChange, handleSubmit, error } = useCompletion({
    api: "/api/chat",
    streamProtocol: "text",
    body: { conversation: "page" },
  });
  return (
    <main>
      <h1>A chat that remembers</h1>
      <form onSubmit={handleSubmit}>
        <input aria-label="Message" value={input} onChange={handleInputChange} />
        <button type="submit">Send</button>
      </form>
      <p role="status">{completion}</p>
      {error && <p role="alert">{error.message}</p>}
    </main>
  );
}
