import { it } from 'vitest'
import { walkStage } from './product-stage.ts'

it('signs people in, calls the API, changes by a line, and leaves only what it retains', () =>
  walkStage('Dev'))
