package dev.latchkey.benchmarks.load.process;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;

/** The end of a connection after an answer. */
public enum Way {
    KEEP_ALIVE("keep-alive"),
    CLOSING("closing");

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    static {
        // The JDK's client rejects this header otherwise.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection");
    }

    private final String title;

    Way(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** A request to the small services' endpoint. */
    public HttpRequest request(int port, String credentials, String address) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hello"))
                .timeout(PATIENCE)
                .header("Authorization", credentials)
                .header("X-Forwarded-For", address);
        return (this == CLOSING ? request.header("Connection", "close") : request).build();
    }
}
