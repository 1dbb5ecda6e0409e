import type { ReferenceEntry } from '../../lib/contract/models/reference.ts'
import {
  type ApiDocument,
  findOwnModel,
  type Header,
  listModels,
  listRoutes,
  type Parameter,
  resolve,
  type Schema,
} from './document.ts'
import { listFields, placeFields } from './fields.ts'
import type { Markdown } from './markdown.ts'
import { listErrors } from './shared-sections.ts'

/** Lists what the search finds: the guide, operations, models, parameters, fields, error codes and headers. */
export const buildSearchIndex = (
  document: ApiDocument,
  markdown: Markdown,
  toHref: (id: string) => string,
): readonly ReferenceEntry[] => {
  const toFieldEntry =
    (kind: 'Parameter' | 'Field') =>
    (id: string, description: string | undefined): ReferenceEntry => ({
      href: toHref(id),
      kind,
      name: id,
      detail: readStart(description),
    })
  const listFieldEntries = (schema: Schema, prefix: string): readonly ReferenceEntry[] =>
    placeFields(listFields(schema), prefix).map(({ id, field }) =>
      toFieldEntry('Field')(id, field.description),
    )
  return [
    {
      href: toHref('content'),
      kind: 'Guide',
      name: 'What to use',
      detail: readStart(markdown.guideStart),
      text: readText(markdown.guideStart),
    },
    ...markdown.guideSections.map(({ id, title, text }) => ({
      href: toHref(id),
      kind: 'Guide' as const,
      name: title,
      detail: readStart(text),
      text: readText(text),
    })),
    ...document.tags.map(({ name, 'x-displayName': title = name, description }) => ({
      href: toHref(`tag-${name}`),
      kind: 'Topic' as const,
      name: title,
      detail: readStart(description),
      text: readText(description),
    })),
    ...listRoutes(document).flatMap(({ method, path, operation }) => {
      const { operationId: id, summary, description, parameters = [] } = operation
      const own = findOwnModel(document, operation)
      return [
        {
          href: toHref(id),
          kind: 'Operation' as const,
          name: summary,
          detail: `${method} ${path}`,
          text: `${id} ${readText(description)}`,
        },
        ...parameters
          .map((parameter) => resolve<Parameter>(document, parameter))
          .map((parameter) => toFieldEntry('Parameter')(`${id}.${parameter.name}`, parameter.description)),
        ...(own ? listFieldEntries(own.schema, `${own.name}.`) : []),
      ]
    }),
    ...listModels(document).flatMap(([name, schema]) => [
      { href: toHref(name), kind: 'Model' as const, name, detail: readStart(schema.description) },
      ...listFieldEntries(schema, `${name}.`),
    ]),
    ...listErrors().map(({ kind, name, meaning }) => ({
      href: toHref(`${kind === 'Reason' ? 'reason' : 'code'}-${name}`),
      kind,
      name,
      detail: readText(meaning),
    })),
    ...Object.entries(document.components.headers ?? {}).map(([name, header]) => ({
      href: toHref(`header-${name}`),
      kind: 'Header' as const,
      name,
      detail: readStart(resolve<Header>(document, header).description),
    })),
  ]
}

/** Returns a text in CommonMark as people read it, in one line. */
const readText = (text = ''): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[`*|#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const readStart = (text = ''): string => readText(text.trim().split('\n\n')[0])
