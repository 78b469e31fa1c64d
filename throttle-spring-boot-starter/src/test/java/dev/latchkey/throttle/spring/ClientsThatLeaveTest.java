package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Clients that leave in the middle of throttled bodies, and other clients of the same Tomcat. */
@Tag("long")
class ClientsThatLeaveTest {

    private static final int LEAVING = 40;
    private static final int ROUNDS = 4;

    /** Tomcat uses its requests and responses again. */
    @Test
    void answersOfOtherClients_areRight() throws Exception {
        try (ThrottledService service = ThrottledService.start(
                Leaving.class,
                "server.tomcat.threads.max=60",
                "latchkey.throttle.bodies.paths=/leaving/**",
                "latchkey.throttle.bodies.counts=response-bytes",
                "latchkey.throttle.bodies.max-wait=10s",
                "latchkey.throttle.bodies.global.tokens=400000")) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Socket> leaving = open(service.port());
                CompletableFuture<Void> others = CompletableFuture.runAsync(() -> askOthers(service, 100));
                for (Socket socket : leaving) {
                    socket.getInputStream().readNBytes(20);
                    socket.setSoLinger(true, 0);
                    socket.close();
                }
                others.join();
            }
            askOthers(service, 20);
        }
    }

    private static List<Socket> open(int port) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < LEAVING; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream()
                    .write("GET /leaving/ HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            sockets.add(socket);
        }
        return sockets;
    }

    private static void askOthers(ThrottledService service, int times) {
        for (int i = 0; i < times; i++) {
            List<? extends Future<HttpResponse<byte[]>>> answers =
                    IntStream.range(0, 4).mapToObj(n -> service.get("/plain")).toList();
            assertThat(answers).allSatisfy(answer -> {
                assertThat(answer.get().statusCode()).isEqualTo(200);
                assertThat(answer.get().body()).asString().isEqualTo("plain");
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Leaving {

        @Bean
        ServletRegistrationBean<HttpServlet> leaving() {
            ServletRegistrationBean<HttpServlet> servlet =
                    new ServletRegistrationBean<>(new AsyncServlets.OnAThreadOfTheServer(), "/leaving/*");
            servlet.setAsyncSupported(true);
            return servlet;
        }
    }
}
