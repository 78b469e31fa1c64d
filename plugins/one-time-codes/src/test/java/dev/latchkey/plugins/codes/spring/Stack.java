package dev.latchkey.plugins.codes.spring;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.context.ApplicationContext;

/** The two web stacks. */
enum Stack {
    SERVLET(
            (properties, test) ->
                    Services.shared(Services.servlet(), properties).run(context -> test.accept(context)),
            Client::ofServlets),
    WEBFLUX(
            (properties, test) ->
                    Services.shared(Services.webFlux(), properties).run(context -> test.accept(context)),
            Client::ofWebFlux);

    private final BiConsumer<String[], Consumer<ApplicationContext>> service;
    private final Function<ApplicationContext, Client> client;

    Stack(BiConsumer<String[], Consumer<ApplicationContext>> service, Function<ApplicationContext, Client> client) {
        this.service = service;
        this.client = client;
    }

    /** Runs this test in a service with a key and these properties. */
    void run(BiConsumer<Client, ApplicationContext> test, String... properties) {
        SharedService shared = SharedService.of(this, properties);
        test.accept(shared.client(), shared.context());
    }

    /** Starts a service, and ends it when this has returned. */
    void whileItRuns(Consumer<ApplicationContext> use, String... properties) {
        service.accept(properties, use);
    }

    Client client(ApplicationContext context) {
        return client.apply(context);
    }
}
