package dev.latchkey.benchmarks.load.token;

import dev.latchkey.benchmarks.load.process.Program;
import dev.latchkey.benchmarks.load.process.Program.Addition;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import java.util.Set;
import java.util.stream.Stream;

/** The filter chain in front of the endpoint. Each variant is a process with only its own jars on the class path. */
public enum RequestVariant {
    OPEN("Spring Security, no token check", "OPEN"),
    AGAIN("the same, in a second process", "OPEN"),
    LATCHKEY("Latchkey", "LATCHKEY", Addition.STARTER),
    RESOURCE_SERVER("Spring's resource server, Nimbus", "RESOURCE_SERVER", Addition.RESOURCE_SERVER),
    JJWT("a filter by hand, jjwt", "JJWT"),
    LEAST("a filter by hand, auth-jwt alone", "AUTH_JWT");

    private final String title;
    private final String chain;
    private final Set<Addition> additions;

    RequestVariant(String title, String chain, Addition... additions) {
        this.title = title;
        this.chain = chain;
        this.additions = Set.of(additions);
    }

    public String title() {
        return title;
    }

    /** Whether a request without a good token is refused. */
    public boolean checksTokens() {
        return this != OPEN && this != AGAIN;
    }

    /** Returns when the service listens. */
    public ServiceProcess start() {
        return ServiceProcess.start(Program.REQUEST, additions, Stream.of(chain, "--request.key=" + RequestTokens.KEY));
    }
}
