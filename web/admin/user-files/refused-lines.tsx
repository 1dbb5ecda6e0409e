import { Button } from '../../kit/button.tsx'
import { toCsvLine } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { saveFile } from '../../session-kit/copy-button.tsx'
import { Panel } from '../kit/panel.tsx'
import type { RefusedLine } from './run-import.ts'

const t = messagesOf('userFiles')

/** More lines would make the page slow. The report has all of them. */
const shownLines = 100

interface RefusedLinesProps {
  readonly lines: readonly RefusedLine[]
  /** The name of the imported file. */
  readonly fileName: string
}

/** Lists the lines that were refused with their reasons, and saves them as a report. */
export const RefusedLines = ({ lines, fileName }: RefusedLinesProps) => {
  const name = `${fileName}.refused`
  return (
    <Panel heading={t('refusedLines')} intro={t('refusedIntro')}>
      <div class="row">
        <Button look="secondary" onClick={() => saveFile(`${name}.csv`, toCsv(lines))}>
          {t('reportCsv')}
        </Button>
        <Button look="secondary" onClick={() => saveFile(`${name}.jsonl`, toJsonLines(lines))}>
          {t('reportJson')}
        </Button>
      </div>
      <dl class="facts">
        {lines.slice(0, shownLines).map(({ line, errors }) => (
          <div key={line}>
            <dt>{t('line', { line })}</dt>
            <dd lang="en">{errors.map(({ field, message }) => `${field} ${message}`).join('; ')}</dd>
          </div>
        ))}
      </dl>
      {lines.length > shownLines && <p>{t('moreLines', { count: lines.length - shownLines })}</p>}
    </Panel>
  )
}

/** One row for each error. */
const toCsv = (lines: readonly RefusedLine[]): Blob =>
  new Blob(
    [
      toCsvLine(['line', 'field', 'message']),
      ...lines.flatMap(({ line, errors }) =>
        errors.map(({ field, message }) => toCsvLine([line, field, message])),
      ),
    ],
    { type: 'text/csv' },
  )

/** The same lines as in the report of the command line. */
const toJsonLines = (lines: readonly RefusedLine[]): Blob =>
  new Blob(
    lines.map(({ line, errors }) => `${JSON.stringify({ line, errors })}\n`),
    { type: 'application/x-ndjson' },
  )
