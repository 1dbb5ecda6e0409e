import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { ReferenceEntry } from '../../lib/features/pages/reference.models.ts'
import { type Html, html } from './html.ts'
import {
  createParser,
  listHeadings,
  listWords,
  readStart,
  readText,
  readTitle,
  type Token,
} from './markdown.ts'
import type { ReferencePage } from './reference-context.ts'

/** A Markdown file of the project. Its path counts from the root of the project: `docs/concepts/sessions.md`. */
interface GuideFile {
  readonly path: string
  readonly text: string
}

/** The groups of the navigation, by what readers want. Files of a folder are in the order of their names, the first page before them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Get started': [
    'README',
    'getting-started',
    'troubleshooting',
    'integrate',
    'protect-an-api',
    'call-the-service',
    'sign-in-by-session',
    'libraries',
    'agents',
    'compatibility',
    'comparison',
    'not-included',
    'feature-lists',
    'glossary',
  ],
  'Your framework': ['frameworks/*'],
  Concepts: ['concepts/*'],
  'Companies and brands': ['identity-providers', 'branding'],
  'Run it': [
    'deploy',
    'first-deployment',
    'configuration',
    'as-code',
    'terraform-and-pulumi',
    'operate',
    'scaling',
    'cost',
    'multi-region',
    'benchmarks',
  ],
  'Move users': ['migrate', 'migrate/*', 'import-export'],
  Security: ['security', 'security/*', 'privacy', 'leaked-credentials', 'leavers'],
  Packages: ['packages/*'],
  'Lists of everything': ['reference/*'],
  'The project': ['architecture', 'contributing', 'releasing', 'decisions/*'],
}

const folder = 'docs'

/** Reads all guides. */
export const readGuides = (): readonly GuideFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => posix.join(folder, name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** The last part of the address of a guide: `sessions`, and `concepts` for the first page of a folder. */
const nameOf = (path: string): string => {
  const { dir, name } = posix.parse(path)
  return name === 'README' ? posix.basename(dir) : name
}

const addressOf = (path: string): string => `/docs/guides/${nameOf(path)}`

/** Whether a file belongs to an entry of a group: `deploy`, or `concepts/*`. */
const isIn = (path: string, entry: string): boolean =>
  entry.endsWith('/*')
    ? posix.dirname(path) === posix.join(folder, posix.dirname(entry))
    : path === posix.join(folder, `${entry}.md`)

interface GuideGroup {
  readonly name: string
  readonly files: readonly GuideFile[]
}

/** @throws Error for a guide without a group, and for two guides with the same address */
const listGroups = (files: readonly GuideFile[]): readonly GuideGroup[] => {
  const listed = Object.entries(groups).map(([name, entries]) => ({
    name,
    files: entries.flatMap((entry) => files.filter(({ path }) => isIn(path, entry)).toSorted(firstPageFirst)),
  }))
  const known = listed.flatMap((group) => group.files)
  const lost = files.filter((file) => !known.includes(file))
  if (lost.length > 0)
    throw new Error(
      `These guides are in no group of the navigation: ${lost.map(({ path }) => path).join(', ')}.`,
    )
  const names = known.map(({ path }) => nameOf(path))
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  if (twice.length > 0) throw new Error(`Two guides have the same address: ${twice.join(', ')}.`)
  return listed
}

const isFirstPage = ({ path }: GuideFile): boolean => posix.basename(path) === 'README.md'
const firstPageFirst = (a: GuideFile, b: GuideFile): number => Number(isFirstPage(b)) - Number(isFirstPage(a))

const titleOf = ({ text }: GuideFile): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? ''

/** Renders the links to all guides, as groups that are `details` elements with the pages that they open for as `data-pages`. */
export const renderGuideNavigation = (files: readonly GuideFile[]): Html =>
  html`<h2>Guides</h2>${listGroups(files).map(
    (group) =>
      html`<details data-page="guides/${group.name}"><summary>${group.name}</summary><ul>${group.files.map(
        (file) => html`<li><a href="${addressOf(file.path)}">${titleOf(file)}</a></li>`,
      )}</ul></details>`,
  )}`

/** Returns the address of the place that explains a name. */
type FindPlace = (name: string) => string | undefined

/** The address of each guide by the path of its file. */
export const listAddresses = (files: readonly GuideFile[]): ReadonlyMap<string, string> =>
  new Map(files.map(({ path }) => [path, addressOf(path)]))

/**
 * Renders the guides as pages, by the last part of their address. Names of operations, models and error codes lead to their explanation
 * in the reference, which `findPlace` returns. Links to files that are no guide become text.
 */
export const buildGuides = (
  files: readonly GuideFile[],
  findPlace: FindPlace,
): Readonly<Record<string, ReferencePage>> => {
  const guides = listAddresses(files)
  return Object.fromEntries(
    listGroups(files).flatMap(({ name, files: inGroup }) =>
      inGroup.map((file) => [
        nameOf(file.path),
        {
          title: html`${titleOf(file)} – Guide`.markup,
          group: `guides/${name}`,
          content: `<article class="guide">${renderGuide(file, guides, findPlace)}</article>`,
        },
      ]),
    ),
  )
}

/** Renders a Markdown file of the project. `guides` has the address of each file that has one. */
export const renderGuide = (
  { path, text }: GuideFile,
  guides: ReadonlyMap<string, string>,
  findPlace: FindPlace,
): string => {
  const parser = createParser(findPlace)
  // Links are completed below. What leads out of the guides and is no https address is removed there.
  parser.validateLink = () => true
  parser.normalizeLink = (url) => url
  const tokens = parser.parse(withoutComments(text), {})
  for (const { token, id } of listAnchors(tokens)) if (token.tag !== 'h1') token.attrSet('id', id)
  repairCells(tokens)
  for (const { children } of tokens) if (children) completeLinks(children, path, guides)
  return parser.renderer.render(tokens, parser.options, {})
}

/** A corner of a table without a text is no header of a column. The policy of the page allows no styles in its markup. */
const repairCells = (tokens: Token[]): void => {
  tokens.forEach((token, index) => {
    const alignment = /text-align:(\w+)/.exec(String(token.attrGet('style')))?.[1]
    if (alignment !== undefined) token.attrs = [['class', `align-${alignment}`]]
    if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') return
    for (const end of [token, tokens[index + 2]]) if (end) end.tag = 'td'
  })
}

const withoutComments = (text: string): string => text.replaceAll(/^<!--.*-->\n/gm, '')

/** Gives each heading an anchor as GitHub does: a number follows the second of the same text. */
const listAnchors = (tokens: Token[]) => {
  const used = new Map<string, number>()
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return []
    const anchor = toAnchor(readTitle(tokens, index))
    const count = used.get(anchor) ?? 0
    used.set(anchor, count + 1)
    return [{ token, id: count === 0 ? anchor : `${anchor}-${count}` }]
  })
}

/** The anchor of a heading, as GitHub makes it. */
export const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

/** Leads links between files to the pages of these files. */
const completeLinks = (tokens: Token[], path: string, guides: ReadonlyMap<string, string>): void => {
  let isRemoved = false
  for (const token of tokens) {
    if (token.type === 'image')
      token.attrSet('src', `/${posix.join(posix.dirname(path), String(token.attrGet('src')))}`)
    if (token.type === 'link_open') {
      const href = resolveLink(String(token.attrGet('href')), path, guides)
      isRemoved = href === undefined
      if (href !== undefined) token.attrSet('href', href)
    }
    if (isRemoved && /^link_/.test(token.type)) Object.assign(token, { type: 'text', content: '', tag: '' })
  }
}

const resolveLink = (href: string, path: string, guides: ReadonlyMap<string, string>): string | undefined => {
  if (/^(#|https:\/\/)/.test(href)) return href
  if (/^\w+:/.test(href)) return undefined
  const [target = '', anchor] = href.split('#')
  const address = guides.get(posix.join(posix.dirname(path), target))
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`
}

/** Results show the start of what a section says. */
const shownLength = 90

/** The reference has pages of its own with the same content. */
const ownPages: readonly string[] = ['operations', 'error-codes']

/** Pages for those who look up or change something, and pages that are mostly code. The search finds their headings only, because all words would double what it loads. */
const isForReview = (path: string): boolean =>
  /^docs\/(reference|decisions|security)\/|\/(architecture|benchmarks|comparison|contributing|feature-lists|releasing)\.md$/.test(
    path,
  )

/** Lists what the search finds: each guide, and each of its sections. */
export const listGuideEntries = (files: readonly GuideFile[]): readonly ReferenceEntry[] =>
  files.flatMap((file) => {
    if (ownPages.includes(nameOf(file.path))) return []
    const lines = withoutComments(file.text).split('\n')
    const tokens = createParser(() => undefined).parse(lines.join('\n'), {})
    const headings = listHeadings(tokens)
    const anchors = listAnchors(tokens)
    const title = titleOf(file)
    return headings.map(({ title: heading, line, level }, at) => {
      const text = lines.slice(line + 1, headings[at + 1]?.line).join('\n')
      const isFirst = level === 1
      return {
        href: isFirst ? addressOf(file.path) : `${addressOf(file.path)}#${anchors[at]?.id}`,
        kind: 'Guide' as const,
        name: isFirst ? title : `${readText(heading)} (${title})`,
        detail: readStart(text).slice(0, shownLength + 1),
        ...(isForReview(file.path) ? {} : { text: listWords(text) }),
      }
    })
  })
