package dev.latchkey.benchmarks.load.token;

import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.process.Program;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import java.util.stream.Stream;

/** The filter chain in front of the endpoint. Each variant is a process with only its own jars on the class path. */
public enum RequestVariant {
    OPEN("Spring Security, no token check", "OPEN", Libraries.SECURITY),
    AGAIN("the same, in a second process", "OPEN", Libraries.SECURITY),
    LATCHKEY("Latchkey", "LATCHKEY", Libraries.STARTER),
    RESOURCE_SERVER("Spring's resource server, Nimbus", "RESOURCE_SERVER", Libraries.RESOURCE_SERVER),
    JJWT("a filter by hand, jjwt", "JJWT", Libraries.SECURITY),
    LEAST("a filter by hand, auth-jwt alone", "AUTH_JWT", Libraries.SECURITY);

    /** The self-configuring jars that stay on the class path. */
    private enum Libraries {
        SECURITY,
        STARTER,
        RESOURCE_SERVER;

        boolean keep(String name) {
            return this == RESOURCE_SERVER || !(name.contains("oauth2") || name.startsWith("nimbus-jose-jwt"));
        }
    }

    private final String title;
    private final String chain;
    private final Libraries libraries;

    RequestVariant(String title, String chain, Libraries libraries) {
        this.title = title;
        this.chain = chain;
        this.libraries = libraries;
    }

    public String title() {
        return title;
    }

    /** Whether a request without a good token is refused. */
    public boolean checksTokens() {
        return this == LATCHKEY || this == RESOURCE_SERVER || this == JJWT || this == LEAST;
    }

    /** Returns when the service listens. */
    public ServiceProcess start() {
        Starter starter = libraries == Libraries.STARTER ? Starter.PRESENT : Starter.ABSENT;
        return ServiceProcess.start(
                Program.REQUEST,
                Program.REQUEST.command(
                        starter,
                        libraries::keep,
                        Stream.of(chain, "--request.key=" + RequestTokens.KEY, "--" + Addresses.TRUSTED)));
    }
}
