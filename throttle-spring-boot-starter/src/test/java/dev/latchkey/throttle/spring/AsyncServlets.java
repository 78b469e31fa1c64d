package dev.latchkey.throttle.spring;

import jakarta.servlet.AsyncContext;
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

    /** Wants to write without blocking. */
    static final class Listening extends HttpServlet {

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            AsyncContext async = request.startAsync();
            async.getResponse().getOutputStream().setWriteListener(new NoListener());
        }
    }

    /** Is never called. */
    static final class NoListener implements WriteListener {

        @Override
        public void onWritePossible() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onError(Throwable failure) {
            throw new UnsupportedOperationException();
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
