/** Whether work goes on in a session, by its live phase. */
export const isBusy = (phase: string): boolean => phase !== 'idle' && phase !== 'failed'
