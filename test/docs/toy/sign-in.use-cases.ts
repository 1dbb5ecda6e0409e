import type { UseCase } from '../../../http/use-case.ts'
import { receiveAnswer } from '../receive-answer.part.ts'
import { returnToStart } from '../return.part.ts'
import { startSignIn } from '../start.part.ts'
import type { toyFlow } from './flow.operations.ts'
import { toySignIn } from './sign-in.part.ts'

export const startToySignIn: UseCase<typeof toyFlow.startToySignIn> = (request, services) =>
  startSignIn(toySignIn, request, services)

export const receiveToyAnswer: UseCase<typeof toyFlow.receiveToyAnswer> = (request, services) =>
  receiveAnswer(toySignIn, request, services, request.query)

export const returnFromToySignIn: UseCase<typeof toyFlow.returnFromToySignIn> = (request, services) =>
  returnToStart(request, services, toySignIn.stored.kind)
