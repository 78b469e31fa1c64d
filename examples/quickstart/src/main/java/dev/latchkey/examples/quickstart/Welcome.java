package dev.latchkey.examples.quickstart;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Prints the first commands to try. */
@Component
class Welcome {

    private static final Logger LOG = LoggerFactory.getLogger(Welcome.class);

    private final Environment environment;

    Welcome(Environment environment) {
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void printCommands() {
        String base = "http://localhost:" + environment.getProperty("local.server.port");
        LOG.info("""

                Open {0}/ and log in as alice with wonderland-tea-party.

                Or try it here:
                  curl -s -u alice:wonderland-tea-party {0}/api/me
                  curl -s -H 'Content-Type: application/json' -d '{"username":"alice","password":"wonderland-tea-party"}' {0}/auth/token
                  curl -s -H 'Authorization: Bearer <the access_token of the line above>' {0}/api/me

                The first costs one BCrypt hash, and again only after a change of password; the third costs an HMAC.\
                """.replace("{0}", base));
    }
}
