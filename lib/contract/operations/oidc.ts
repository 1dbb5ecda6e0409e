import { anyone, withScope } from '../access.ts'
import { CreateJWTRequest, JSONWebKeySet, JWT } from '../models/jwt.ts'
import { defineOperation } from '../operation.ts'

export const oidc = {
  getJwks: defineOperation({
    id: 'get_jwks',
    group: 'oidc',
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: anyone,
    summary: 'Get the public keys that verify JWTs of this service',
    // 304 if `If-None-Match` names the current keys.
    responses: { 200: JSONWebKeySet, 304: null },
    // Libraries send various Accept headers, but all of them read this document.
    ignoresAccept: true,
  }),
  createJwt: defineOperation({
    id: 'create_jwt',
    group: 'oidc',
    method: 'POST',
    path: '/api/2/auth/jwt',
    access: withScope('jwts:create'),
    summary: 'Create a short-lived JWT that identifies the caller to other servers',
    body: CreateJWTRequest,
    isBodyOptional: true,
    responses: { 200: JWT },
    errors: ['not_authenticated', 'conflict'],
  }),
}
