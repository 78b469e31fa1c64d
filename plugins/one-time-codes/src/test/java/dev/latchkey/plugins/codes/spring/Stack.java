package dev.latchkey.plugins.codes.spring;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;

/** The two web stacks. */
enum Stack {
    SERVLET {
        @Override
        void whileItRuns(Consumer<ApplicationContext> use, String... properties) {
            Services.shared(Services.servlet(), properties).run(context -> use.accept(context));
        }

        @Override
        Client client(ApplicationContext context) {
            return Client.ofServlets(context);
        }
    },
    WEBFLUX {
        @Override
        void whileItRuns(Consumer<ApplicationContext> use, String... properties) {
            Services.shared(Services.webFlux(), properties).run(context -> use.accept(context));
        }

        @Override
        Client client(ApplicationContext context) {
            return Client.ofWebFlux(context);
        }
    };

    /** Starts a service, and ends the service after this method. */
    abstract void whileItRuns(Consumer<ApplicationContext> use, String... properties);

    abstract Client client(ApplicationContext context);

    /** Runs this test in a service with a key and these properties. */
    final void run(BiConsumer<Client, ApplicationContext> test, String... properties) {
        SharedService shared = SharedService.of(this, properties);
        test.accept(shared.client(), shared.context());
    }
}
