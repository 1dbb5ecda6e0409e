import type { Page } from '../../lib/http/page.ts'

/** Returns the use case that answers every request with the same page. */
export const showPage =
  ({ html, headers }: Page) =>
  async () => ({ status: 200 as const, body: html, headers })
