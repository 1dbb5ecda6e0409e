import type { LambdaEvent } from './frameworks.ts'
import type { IncomingRequest } from './read-credential.ts'

/** Payload 2.0 has the method in its context. An unknown one counts as a change. */
const readMethod = ({ httpMethod, requestContext }: LambdaEvent): string => {
  const { http } = (requestContext ?? {}) as { readonly http?: { readonly method?: string } }
  return httpMethod ?? http?.method ?? ''
}

/** Reads an event of API Gateway. REST APIs pass the names of headers as they were sent. */
export const readLambdaEvent = (event: LambdaEvent): IncomingRequest => {
  const headers = Object.entries(event.multiValueHeaders ?? event.headers ?? {})
  const cookies = event.cookies ?? []
  return {
    method: readMethod(event),
    getHeader: (name) => {
      const values = headers.flatMap(([sent, value]) => (sent.toLowerCase() === name ? (value ?? []) : []))
      if (name === 'cookie') return [...values, ...cookies].join('; ') || undefined
      return values.length === 0 ? undefined : values.join(', ')
    },
  }
}
