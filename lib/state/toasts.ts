/** What is said in passing. */

import type { StoreApi } from 'zustand/vanilla'
import type { AppContext } from './app-context'
import type { AppState, Toast } from './model'

/** Adds a toast; a failure that is on screen in the same words is not said twice, as a full disk would. */
export const createToast =
  (store: StoreApi<AppState>): AppContext['toast'] =>
  (toast) =>
    store.setState(({ toasts }) => {
      const isSame = ({ tone, title, detail }: Toast) =>
        tone === 'error' && title === toast.title && detail === toast.detail
      const others = toasts.filter((other) => !isSame(other))
      return { toasts: [...others, { ...toast, id: crypto.randomUUID() }] }
    })
