import type { UseCase } from '../../../http/use-case.ts'
import { receiveAnswer } from '../receive-answer.part.ts'
import { returnToStart } from '../return.part.ts'
import { startSignIn } from '../start.part.ts'
import type { oidcFlow } from './flow.operations.ts'
import { oidcSignIn } from './sign-in.part.ts'

export const startOidcSignIn: UseCase<typeof oidcFlow.startOidcSignIn> = (request, services) =>
  startSignIn(oidcSignIn, request, services)

export const receiveOidcAnswer: UseCase<typeof oidcFlow.receiveOidcAnswer> = (request, services) =>
  receiveAnswer(oidcSignIn, request, services, { ...request.query, mode: 'query' })

export const receiveOidcAnswerByForm: UseCase<typeof oidcFlow.receiveOidcAnswerByForm> = (
  request,
  services,
) => receiveAnswer(oidcSignIn, request, services, { ...request.body, mode: 'form_post' })

export const returnFromOidcSignIn: UseCase<typeof oidcFlow.returnFromOidcSignIn> = (request, services) =>
  returnToStart(request, services, oidcSignIn.stored.kind)
