// The HTTP API as a Markdown page, from its OpenAPI description.

/** The last part of a reference inside the document. */
const nameOf = (ref) => ref.split("/").at(-1);

/** A type of a JSON schema, in a few words. */
function typeOf(schema) {
  if (schema === undefined) return "any";
  if (schema.$ref) return `[${nameOf(schema.$ref)}](#${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.type === "array") return `array of ${typeOf(schema.items)}`;
  return [schema.type ?? "any"].flat().join(" or ");
}

/** A text as a table's cell. */
const cell = (text = "") => text.replace(/\s*\n\s*-?\s*/g, " ").replaceAll("|", "\\|");

function table(head, rows) {
  if (rows.length === 0) return "";
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function fields(schema) {
  const required = new Set(schema?.required);
  const rows = Object.entries(schema?.properties ?? {}).map(([name, field]) => [
    `\`${name}\`${required.has(name) ? "" : " ?"}`,
    typeOf(field),
    cell(field.description),
  ]);
  return table(["field", "type", ""], rows);
}

/** A body: the fields of an object, or the name of its type. */
function body(title, schema) {
  if (!schema) return "";
  return `${title}: ${schema.properties ? `\n\n${fields(schema)}` : `${typeOf(schema)}.`}`;
}

const jsonOf = (part) => part?.content?.["application/json"]?.schema;

function operation(
  api,
  path,
  method,
  shared,
  { summary, description, parameters = [], requestBody, responses },
) {
  const resolved = [...shared, ...parameters].map((at) =>
    at.$ref ? api.components.parameters[nameOf(at.$ref)] : at,
  );
  const rows = resolved.map((at) => [
    `\`${at.name}\`${at.required ? "" : " ?"}`,
    at.in,
    typeOf(at.schema),
    cell(at.description),
  ]);
  const statuses = Object.entries(responses).map(([status, answer]) => {
    const { description } = answer.$ref ? api.components.responses[nameOf(answer.$ref)] : answer;
    return `\`${status}\` ${cell(description).replace(/\.$/, "")}`;
  });
  const done = Object.entries(responses).find(([status]) => status.startsWith("2"));
  return [
    `### ${method.toUpperCase()} ${path}`,
    `${summary}.`,
    description,
    table(["parameter", "in", "type", ""], rows),
    body("Body", jsonOf(requestBody)),
    body("Answer", jsonOf(done?.[1])),
    `Statuses: ${statuses.join("; ")}.`,
  ];
}

/** The page. */
export function httpReference(api) {
  const operations = Object.entries(api.paths).flatMap(([path, { parameters = [], ...methods }]) =>
    Object.entries(methods).flatMap(([method, about]) => operation(api, path, method, parameters, about)),
  );
  const types = Object.entries(api.components.schemas)
    .sort(([one], [other]) => one.localeCompare(other))
    .flatMap(([name, schema]) => [
      `### ${name}`,
      schema.description,
      schema.properties ? fields(schema) : `${typeOf(schema)}.`,
    ]);
  const parts = [
    "# HTTP API",
    `${api.info.summary}. ${api.info.description}`,
    "## Routes",
    ...operations,
    "## Types",
    ...types,
  ];
  return parts.filter(Boolean).join("\n\n");
}
