import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Chat } from "./chat";
import "./style.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Chat />
    </StrictMode>,
  );
}
