import { createHash } from 'node:crypto'
import type { Principal } from '../accounts/callers/principal.ts'
import { invalidRequest } from '../kernel/errors/errors.ts'
import { listBytes } from '../kernel/limits/limits.ts'
import type { Config } from '../kernel/settings/config.ts'
import type { Page, PageRequest } from '../kernel/table/listing.ts'
import { countResultBytes } from '../kernel/util/result-bytes.ts'
import { readQuery } from './validate.ts'

/** The path and the raw query of a request. */
export interface RequestTarget {
  readonly path: string
  readonly rawQuery: string
}

/** The request of any list: see `paging` and `ordering` in `lib/kernel/contract/query.ts`. */
export interface ListRequest {
  readonly query: {
    readonly limit: number
    readonly offset: number
    readonly cursor?: string | undefined
    readonly ordering: { readonly descending: boolean }
  }
  /** Undefined for an anonymous caller of a public list. */
  readonly principal: Principal | undefined
  readonly target: RequestTarget
}

/*
 * A cursor contains the sort key after which the list continues, which the caller has already seen. In front of it is
 * a digest of the sort key, the caller, and the query. A cursor that was damaged, or that belongs to another caller or
 * query, is therefore rejected with a 400. The digest is not a signature and does not need to be one: the list and the
 * right to read it are determined without the cursor. Callers who compute a cursor themselves only start their own
 * list at another place, as they can with an offset. The audit log of the console shows how far it searched from it.
 */
const digestLength = 16
const maxSortKeyBytes = 1024

/**
 * Returns which page of a list is requested.
 *
 * @throws AppError `invalid_request` for a cursor of another caller or query.
 */
export const readPageRequest = (request: ListRequest): PageRequest => {
  const { limit, offset, cursor, ordering } = request.query
  const page = { skip: offset, limit, isDescending: ordering.descending }
  if (cursor === undefined) return page
  const after = Buffer.from(cursor.slice(digestLength), 'base64url').toString('utf8')
  const isValid =
    after !== '' && Buffer.byteLength(after) <= maxSortKeyBytes && cursor === buildCursor(request, after)
  if (!isValid)
    throw invalidRequest([
      { field: 'cursor', message: 'must come from a response to the same caller and query' },
    ])
  return { ...page, after }
}

/**
 * Returns the body of a list and the `Link` header of its next page (RFC 8288). A page ends early if its body would
 * exceed the limit of Lambda.
 */
export const toListReply = <Row>(
  request: ListRequest,
  { publicUrl }: Config,
  page: Page<Row>,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Row[] } => {
  const count = countFittingRows(page.rows.map(({ row }) => row))
  const shown = page.rows.slice(0, count)
  const last = shown.at(-1)
  const next = last && count < page.rows.length ? { after: last.indexKey, skip: 0 } : page.next
  const link = next && `<${publicUrl}${request.target.path}?${buildNextQuery(request, next)}>; rel="next"`
  return { headers: link === undefined ? {} : { link }, body: shown.map(({ row }) => row) }
}

/** Returns at least 1, because a caller that gets no row would not get any further. */
const countFittingRows = (rows: readonly unknown[]): number => {
  let bytes = 0
  const firstTooMany = rows.findIndex((row) => {
    bytes += countResultBytes(row)
    return bytes > listBytes
  })
  return firstTooMany < 0 ? rows.length : Math.max(1, firstTooMany)
}

const buildNextQuery = (request: ListRequest, next: NonNullable<Page<unknown>['next']>): URLSearchParams => {
  const { offset: _offset, cursor: _cursor, ...kept } = readQuery(request.target.rawQuery)
  return new URLSearchParams({
    ...kept,
    ...(next.skip > 0 ? { offset: String(next.skip) } : {}),
    cursor: buildCursor(request, next.after),
  })
}

const buildCursor = ({ principal, target }: ListRequest, after: string): string => {
  const { limit: _limit, offset: _offset, cursor: _cursor, ...filters } = readQuery(target.rawQuery)
  const bound = [target.path, principal?.user.id ?? null, Object.entries(filters).sort(), after]
  const digest = createHash('sha256').update(JSON.stringify(bound)).digest('base64url')
  return digest.slice(0, digestLength) + Buffer.from(after).toString('base64url')
}
