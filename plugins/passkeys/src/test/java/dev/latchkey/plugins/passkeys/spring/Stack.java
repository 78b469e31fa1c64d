package dev.latchkey.plugins.passkeys.spring;

import java.util.function.BiConsumer;
import org.springframework.context.ApplicationContext;

/** The two web stacks. */
enum Stack {
    SERVLET {
        @Override
        void run(BiConsumer<Client, ApplicationContext> test) {
            Services.servlet(context -> test.accept(Client.ofServlets(context), context));
        }
    },
    WEBFLUX {
        @Override
        void run(BiConsumer<Client, ApplicationContext> test) {
            Services.webFlux(context -> test.accept(Client.ofWebFlux(context), context));
        }
    };

    /** Starts a service, and ends the service after this method. */
    abstract void run(BiConsumer<Client, ApplicationContext> test);
}
