import { escapeHtml } from '../util/escape-html.ts'

/**
 * Fills an HTML template with texts, which never become markup. `{{name}}` stands for a text, and
 * `{{#name}}…{{/name}}` for a part that is left out if there is no such text, as in Mustache templates.
 */
export const fillTemplate = (html: string, texts: Readonly<Record<string, string | undefined>>): string =>
  html
    .replaceAll(/\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/g, (_, name: string, part: string) =>
      texts[name] === undefined ? '' : part,
    )
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(texts[name] ?? ''))
