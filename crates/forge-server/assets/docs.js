// Renders /api/v1/openapi.json as a readable list. Text from the document only ever becomes text nodes.
"use strict";

const METHODS = ["get", "post", "put", "patch", "delete"];
const MAX_DEPTH = 6;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function withCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

function table(lines) {
  const [head, , ...rows] = lines.map((line) => line.split("|").slice(1, -1));
  const row = (kind, cells) => element("tr", {}, ...cells.map((cell) => element(kind, {}, ...withCode(cell.trim()))));
  const body = element("tbody", {}, ...rows.map((cells) => row("td", cells)));
  return element("table", {}, element("thead", {}, row("th", head)), body);
}

// The three marks our descriptions use: `code`, paragraphs and tables.
function prose(text, className) {
  const holder = element("div", { class: className });
  for (const paragraph of (text ?? "").trim().split(/\n\n+/).filter(Boolean)) {
    const isTable = paragraph.startsWith("|");
    holder.append(isTable ? table(paragraph.split("\n")) : element("p", {}, ...withCode(paragraph)));
  }
  return holder;
}

function resolve(api, value) {
  let found = value;
  for (let hops = 0; found && found.$ref && hops < 20; hops += 1) {
    found = found.$ref
      .replace(/^#\//, "")
      .split("/")
      .reduce((at, key) => at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], api);
  }
  return found ?? {};
}

function nameOf(schema) {
  if (!schema || schema === true) return "anything";
  if (schema.$ref) return schema.$ref.split("/").pop();
  const options = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (options) return options.map(nameOf).join(schema.allOf ? " and " : " or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? (schema.properties ? "object" : "anything")].flat();
  return types
    .map((type) => {
      if (type === "array") return `list of ${nameOf(schema.items)}`;
      return schema.format ? `${type} (${schema.format})` : type;
    })
    .join(" or ");
}

function innerSchemas(schema) {
  if (!schema || schema === true) return [];
  if (schema.items) return [schema.items];
  return schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
}

function schemaView(api, schema, seen = []) {
  const reference = schema?.$ref;
  if (reference && seen.includes(reference)) return element("p", { class: "dim" }, "as above");
  const path = reference ? [...seen, reference] : seen;
  const full = resolve(api, schema);
  const holder = element("div", {});
  if (reference && full.description) holder.append(prose(full.description, "dim"));
  if (full.enum && full.enum.length > 1) {
    holder.append(element("p", {}, `One of ${full.enum.map((value) => JSON.stringify(value)).join(", ")}`));
  }
  const properties = Object.entries(full.properties ?? {});
  if (properties.length) {
    const rows = properties.map(([name, property]) => {
      const meaning = element("td", {}, prose(property.description ?? resolve(api, property).description));
      if (path.length < MAX_DEPTH && hasFields(api, property)) {
        meaning.append(lazyDetails("fields", () => schemaView(api, property, path)));
      }
      const needed = (full.required ?? []).includes(name);
      return element(
        "tr",
        {},
        element("td", {}, element("code", {}, name), needed ? "" : element("span", { class: "dim" }, " optional")),
        element("td", {}, nameOf(property)),
        meaning,
      );
    });
    holder.append(element("table", {}, element("tbody", {}, ...rows)));
  }
  for (const inner of innerSchemas(full)) {
    if (path.length < MAX_DEPTH && hasFields(api, inner)) {
      holder.append(lazyDetails(nameOf(inner), () => schemaView(api, inner, path)));
    }
  }
  return holder;
}

function hasFields(api, schema, depth = 0) {
  if (!schema || depth > 4) return false;
  const full = resolve(api, schema);
  if (full.properties) return true;
  if (full.enum && schema.$ref) return true;
  return innerSchemas(full).some((inner) => hasFields(api, inner, depth + 1));
}

// Schemas may contain themselves, so they are drawn when opened.
function lazyDetails(title, draw) {
  const details = element("details", {}, element("summary", {}, title));
  details.addEventListener("toggle", () => details.append(draw()), { once: true });
  return details;
}

function contentView(api, title, holder) {
  const [[type, media] = []] = Object.entries(holder.content ?? {});
  const box = element("div", {}, element("h4", {}, title), prose(holder.description, "dim"));
  if (type) {
    box.append(element("p", {}, element("code", {}, type), ` ${nameOf(media.schema)}`));
    if (hasFields(api, media.schema)) box.append(schemaView(api, media.schema));
  }
  return box;
}

function parametersView(api, parameters) {
  const rows = parameters.map((given) => {
    const parameter = resolve(api, given);
    const optional = parameter.required ? "" : element("span", { class: "dim" }, " optional");
    return element(
      "tr",
      {},
      element("td", {}, element("code", {}, parameter.name), optional),
      element("td", {}, parameter.in),
      element("td", {}, nameOf(parameter.schema)),
      element("td", {}, prose(parameter.description)),
    );
  });
  return element("div", {}, element("h4", {}, "Parameters"), element("table", {}, element("tbody", {}, ...rows)));
}

function operationView(api, { id, path, method, operation, shared }) {
  const title = element("h3", {}, element("span", { class: "method" }, method.toUpperCase()), ` ${path}`);
  const view = element("section", { class: "operation", id }, title);
  view.append(prose(operation.summary), prose(operation.description));
  const parameters = [...shared, ...(operation.parameters ?? [])];
  if (parameters.length) view.append(parametersView(api, parameters));
  if (operation.requestBody) view.append(contentView(api, "Body", resolve(api, operation.requestBody)));
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const title = status === "default" ? "Any error" : `Answer ${status}`;
    view.append(lazyDetails(title, () => contentView(api, title, resolve(api, response))));
  }
  return view;
}

function operationsOf(api) {
  return Object.entries(api.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      id: item[method].operationId ?? `${method}-${path}`,
      path,
      method,
      operation: item[method],
      shared: item.parameters ?? [],
    })),
  );
}

function render(api) {
  const main = document.getElementById("operations");
  const contents = document.getElementById("contents");
  document.getElementById("version").textContent = api.info?.version ?? "";
  main.replaceChildren(lazyDetails("About the API, and all error codes", () => prose(api.info?.description)));
  const all = operationsOf(api);
  const known = (api.tags ?? []).map((tag) => tag.name);
  const tagOf = ({ operation }) => operation.tags?.[0] ?? "other";
  const tags = [...new Set([...known, ...all.map(tagOf)])];
  const found = [];
  for (const tag of tags) {
    const members = all.filter((one) => tagOf(one) === tag);
    if (!members.length) continue;
    const about = (api.tags ?? []).find((one) => one.name === tag)?.description;
    const group = element("div", {}, element("h2", {}, tag), prose(about, "dim"));
    const links = element("div", {}, element("h2", {}, tag));
    for (const member of members) {
      const view = operationView(api, member);
      const link = element("a", { href: `#${member.id}` }, `${member.method.toUpperCase()} ${member.path}`);
      const { summary, description } = member.operation;
      const text = [member.method, member.path, summary, description].join(" ").toLowerCase();
      found.push({ text, parts: [view, link], groups: [group, links] });
      group.append(view);
      links.append(link);
    }
    main.append(group);
    contents.append(links);
  }
  document.getElementById("filter").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set();
    for (const { text, parts, groups } of found) {
      const fits = words.every((word) => text.includes(word));
      for (const part of parts) part.hidden = !fits;
      if (fits) for (const group of groups) shown.add(group);
    }
    for (const { groups } of found) for (const group of groups) group.hidden = !shown.has(group);
  });
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

async function load() {
  const state = document.getElementById("state");
  try {
    const answer = await fetch("/api/v1/openapi.json");
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    render(await answer.json());
  } catch (error) {
    state.textContent = `The description of the API could not be loaded: ${error.message}. Reload the page.`;
  }
}

load();
