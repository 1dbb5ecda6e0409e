import { t } from './messages.ts'
import { isPreview } from './start-path.ts'

/** Shorter waits need no words. */
const slowMs = 1000

let slowRequests = 0
let works = 0
let notice: HTMLElement | undefined

/** Watches a request. One that takes longer than a second is said on the page, wherever it was sent. */
export const watchRequest = async <Result>(request: Promise<Result>): Promise<Result> => {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    count(1)
  }, slowMs)
  try {
    return await request
  } finally {
    clearTimeout(timer)
    if (isSlow) count(-1)
  }
}

/** Says on the page that the browser proves that it is no bot, while it does. */
export const showWork = async <Result>(work: Promise<Result>): Promise<Result> => {
  works += 1
  update()
  try {
    return await work
  } finally {
    works -= 1
    update()
  }
}

const count = (change: 1 | -1): void => {
  slowRequests += change
  update()
}

/** Says on the page from now on that a request takes long, or that there is no connection. */
export const showWaiting = (): void => {
  if (isPreview) return
  notice = document.createElement('div')
  notice.className = 'waiting'
  notice.ariaLive = 'polite'
  for (const name of ['online', 'offline']) addEventListener(name, update)
  update()
}

const update = (): void => {
  if (!notice) return
  // Below an open dialog, no screen reader would find it.
  const dialogs = document.querySelectorAll('dialog[open]')
  const host = dialogs.item(dialogs.length - 1) ?? document.body
  if (notice.parentElement !== host) host.append(notice)
  notice.textContent = describeState()
}

const describeState = (): string => {
  if (!navigator.onLine) return t('problemOffline')
  if (works > 0) return t('provingWork')
  return slowRequests > 0 ? t('waiting') : ''
}
