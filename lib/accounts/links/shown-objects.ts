import type { AccessTokenRecord, SharedObject } from '../../store/links/access-token-record.ts'

/** A shared object as responses, pages, and emails show it. */
export interface ShownObject {
  readonly id: number
  readonly name: string
}

/** The bundles and directories of an access token. One that was shared by its ID has a name with this ID. */
export const showObjects = ({
  bundles,
  directories,
}: Pick<AccessTokenRecord, 'bundles' | 'directories'>): {
  readonly bundles: readonly ShownObject[]
  readonly directories: readonly ShownObject[]
} => ({ bundles: bundles.map(show('Bundle')), directories: directories.map(show('Directory')) })

const show =
  (kind: string) =>
  ({ id, name }: SharedObject): ShownObject => ({ id, name: name ?? `${kind} ${id}` })
