package dev.latchkey.throttle.spring;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Servlets that send {@link ThrottledService#body} asynchronously, and complete the request themselves. */
final class AsyncServlets {

    private AsyncServlets() {}

    /** Completes the request itself, and writes only when it may. */
    static final class Listening extends HttpServlet {

        private final int begun;

        /** @param begun the bytes that the servlet writes before it listens */
        Listening(int begun) {
            this.begun = begun;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body =
                    ThrottledService.body(Integer.parseInt(request.getPathInfo().substring(1)));
            AsyncContext async = request.startAsync(request, response);
            ServletOutputStream out = response.getOutputStream();
            out.write(body, 0, begun);
            out.setWriteListener(new WriteListener() {

                private int sent = begun;

                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        if (sent == body.length) {
                            async.complete();
                            return;
                        }
                        int count = Math.min(4096, body.length - sent);
                        out.write(body, sent, count);
                        sent += count;
                    }
                }

                @Override
                public void onError(Throwable failure) {
                    async.complete();
                }
            });
        }
    }

    /** Writes with a thread of the server, and completes the request after a failure too. */
    static final class OnAThreadOfTheServer extends HttpServlet {

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            byte[] piece = ThrottledService.body(8192);
            AsyncContext async = request.startAsync();
            async.start(() -> {
                try {
                    for (int i = 0; i < 1000; i++) {
                        async.getResponse().getOutputStream().write(piece);
                    }
                } catch (IOException e) {
                    // The client has left.
                }
                try {
                    async.complete();
                } catch (IllegalStateException e) {
                    // The server has ended the request.
                }
            });
        }
    }

    /** Begins with the thread of the request, and goes on with another while that one returns. */
    static final class OnItsOwnThread extends HttpServlet {

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String body = new String(
                    ThrottledService.body(Integer.parseInt(request.getPathInfo().substring(1))),
                    StandardCharsets.US_ASCII);
            int half = body.length() / 2;
            PrintWriter writer = response.getWriter();
            writer.print(body.substring(0, half));
            AsyncContext async = request.startAsync();
            Thread other = new Thread(() -> {
                writer(async).print(body.substring(half));
                async.complete();
            });
            other.setDaemon(true);
            other.start();
        }

        private static PrintWriter writer(AsyncContext async) {
            try {
                return async.getResponse().getWriter();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
