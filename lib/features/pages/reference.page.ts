import type { Page } from '../../http/page.ts'

interface PageParts {
  /** What is around each page, with the comments `<!-- title -->`, `<!-- navigation -->` and `<!-- content -->` in their places. */
  readonly shell: Page
  /** The links to all pages. */
  readonly navigation: string
  readonly page: { readonly title: string; readonly content: string }
  /** The group of the navigation that is open. */
  readonly group: string
}

/** Puts a page of the documentation together. */
export const fillShell = ({ shell, navigation, page, group }: PageParts): string => {
  const closed = `<details data-page="${group}"`
  const parts = {
    title: page.title,
    navigation: navigation.replace(closed, () => `${closed} open`),
    content: page.content,
  }
  return Object.entries(parts).reduce(
    (text, [place, part]) => text.replace(`<!-- ${place} -->`, () => part),
    shell.html,
  )
}
