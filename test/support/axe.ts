import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Properties with the elements that an attribute names. Firefox ends the process of a page whose debugger reads them, so axe
 * reads the attributes only, which all pages of the service use.
 */
const elementProperties = [
  'aria-activedescendant',
  'aria-controls',
  'aria-describedby',
  'aria-details',
  'aria-errormessage',
  'aria-flowto',
  'aria-labelledby',
  'aria-owns',
]
const ariaAttrs = Object.fromEntries(elementProperties.map((name) => [name, { prop: null }]))

/** The rules that read sizes and colors. The others read the document, which is the same in each look. */
const sizeRules = ['target-size', 'scrollable-region-focusable']
const rulesOf = {
  all: undefined,
  look: [...sizeRules, 'color-contrast', 'link-in-text-block'],
  // The system chooses forced colors, so that axe has nothing to say about them.
  size: sizeRules,
}

export type RuleSet = keyof typeof rulesOf

/**
 * Returns what axe finds on the page as it is now, or in a part of it: a line for each violated rule, with the first
 * elements. The debugger runs axe, so that the content security policy of the page stays as it is.
 */
export const findViolations = async (
  page: Page,
  within: string | { readonly include: string; readonly exclude: string | undefined } = 'html',
  rules: RuleSet = 'all',
): Promise<readonly string[]> => {
  const options = {
    resultTypes: ['violations'],
    // No rule that runs reads the style sheets, which axe would load again.
    preload: false,
    rules: { 'target-size': { enabled: true } },
    ...(rulesOf[rules] && { runOnly: rulesOf[rules] }),
  }
  // A page keeps axe until it is loaded again. Reading the 550 KB takes a third of the time of an examination.
  if (await page.evaluate('!window.axe'))
    await page.evaluate(`${source}; axe.configure(${JSON.stringify({ standards: { ariaAttrs } })})`)
  return page.evaluate(`axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})
    .then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`)
}
