package dev.latchkey.benchmarks.services;

import dev.latchkey.auth.guard.ClientSource;
import dev.latchkey.auth.guard.Passage;
import dev.latchkey.auth.guard.Throttle;
import dev.latchkey.auth.guard.ThrottleClient;
import dev.latchkey.benchmarks.services.SubjectProperties.Waiting;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code GET /download/<bytes>}: so many bytes, chunk by chunk through the throttle. The client's name is in a header. */
final class DownloadServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Throttle throttle;
    private final Waiting waiting;
    private final byte[] chunk;

    DownloadServlet(Throttle throttle, Waiting waiting, int chunkBytes) {
        this.throttle = throttle;
        this.waiting = waiting;
        this.chunk = new byte[chunkBytes];
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int bytes = Integer.parseInt(request.getPathInfo().substring(1));
        ThrottleClient client = throttle.client(ClientSource.UNKNOWN, String.valueOf(request.getHeader("X-Client")));
        response.setContentLength(bytes);
        response.setContentType("application/octet-stream");
        if (waiting == Waiting.BLOCKING) {
            writeBlocking(client, response.getOutputStream(), bytes);
        } else {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new PacedBody(async, out, client, chunk, bytes));
        }
    }

    private void writeBlocking(ThrottleClient client, ServletOutputStream out, int bytes) throws IOException {
        for (int left = bytes; left > 0; left -= chunk.length) {
            int next = Math.min(chunk.length, left);
            if (!(client.acquire(next).join() instanceof Passage.Passed)) {
                throw new IOException("Refused by the throttle");
            }
            out.write(chunk, 0, next);
            out.flush();
        }
    }
}
