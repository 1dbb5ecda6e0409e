import { createHash } from 'node:crypto'
import type { Principal } from '../accounts/common/principal.ts'
import type { Config } from '../core/config.ts'
import { invalidRequest } from '../core/errors.ts'
import { listBytes } from '../core/limits.ts'
import type { Page, PageRequest } from '../store/engine/listing.ts'
import { readQuery } from './query.ts'

/** Path and query of a request, as they were sent. */
export interface Target {
  readonly path: string
  readonly rawQuery: string
}

/** The request of any list: see `paging` and `ordering` in `contract/query.ts`. */
export interface ListRequest {
  readonly query: {
    readonly limit: number
    readonly offset: number
    readonly cursor?: string | undefined
    readonly ordering: { readonly descending: boolean }
  }
  /** Undefined for whoever reads a list that is open to all. */
  readonly principal: Principal | undefined
  readonly target: Target
}

/*
 * A cursor says where a list goes on: a sort key, which the caller was shown, in front of it a digest of
 * that, the caller and the query. The digest makes a cursor that was damaged, borrowed or used with another
 * query a plain 400. It is no signature and need not be one: the list that is read, and who may read it, are
 * settled without the cursor, so whoever computes one of its own only begins its own list elsewhere, as an
 * offset would.
 */
const digestLength = 16
const longestPlaceBytes = 1024

/**
 * Which page is asked for.
 *
 * @throws AppError `invalid_request` for a cursor that isn't of this caller and query.
 */
export const readPageRequest = (request: ListRequest): PageRequest => {
  const { limit, offset, cursor, ordering } = request.query
  const page = { skip: offset, limit, isDescending: ordering.descending }
  if (cursor === undefined) return page
  const after = Buffer.from(cursor.slice(digestLength), 'base64url').toString('utf8')
  const isOurs =
    after !== '' && Buffer.byteLength(after) <= longestPlaceBytes && cursor === cursorOf(request, after)
  if (!isOurs)
    throw invalidRequest([
      { field: 'cursor', message: 'must be one that this caller got for this very query' },
    ])
  return { ...page, after }
}

/**
 * The body of a list, and the `Link` (RFC 8288) to what follows. A page ends early where Lambda would refuse
 * it.
 */
export const toListReply = <Row>(
  request: ListRequest,
  { publicUrl }: Config,
  page: Page<Row>,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Row[] } => {
  const count = countThatFits(page.rows.map(({ row }) => row))
  const shown = page.rows.slice(0, count)
  const last = shown.at(-1)
  const next = last && count < page.rows.length ? { after: last.place, skip: 0 } : page.next
  const link = next && `<${publicUrl}${request.target.path}?${queryOfNext(request, next)}>; rel="next"`
  return { headers: link === undefined ? {} : { link }, body: shown.map(({ row }) => row) }
}

/** At least one: a caller that got nothing would not get on. */
const countThatFits = (rows: readonly unknown[]): number => {
  let bytes = 0
  const over = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    return bytes > listBytes
  })
  return over < 0 ? rows.length : Math.max(1, over)
}

const queryOfNext = (request: ListRequest, next: NonNullable<Page<unknown>['next']>): URLSearchParams => {
  const { offset: _offset, cursor: _cursor, ...kept } = readQuery(request.target.rawQuery)
  return new URLSearchParams({
    ...kept,
    ...(next.skip > 0 ? { offset: String(next.skip) } : {}),
    cursor: cursorOf(request, next.after),
  })
}

const cursorOf = ({ principal, target }: ListRequest, after: string): string => {
  const { limit: _limit, offset: _offset, cursor: _cursor, ...filters } = readQuery(target.rawQuery)
  const bound = [target.path, principal?.user.id ?? null, Object.entries(filters).sort(), after]
  const digest = createHash('sha256').update(JSON.stringify(bound)).digest('base64url')
  return digest.slice(0, digestLength) + Buffer.from(after).toString('base64url')
}
