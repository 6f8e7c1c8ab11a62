import { answerCancel } from '@/lib/server/summaries'

export const dynamic = 'force-dynamic'

export async function DELETE(request: Request, context: { params: Promise<{ id: string }> }) {
  return answerCancel(request, (await context.params).id)
}
