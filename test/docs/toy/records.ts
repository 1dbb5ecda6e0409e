import { createCodec } from '../../../kernel/table/records.ts'
import { type Connection, type ConnectionKind, connectionShape } from '../records.ts'

/** A connection to an identity provider that signs names with a shared key. */
export interface ToyConnection extends Connection {
  readonly kind: 'toy'
  readonly sign_in_url: string
  readonly sharedKey: { readonly cipher: string }
}

export const toyKind: ConnectionKind<ToyConnection> = {
  kind: 'toy',
  codec: createCodec<ToyConnection>('toy connection', {
    ...connectionShape,
    sign_in_url: 'string',
    sharedKey: 'map',
  }),
}
