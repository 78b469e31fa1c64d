package dev.latchkey.plugins.codes.spring;

import java.util.function.BiConsumer;
import java.util.function.Function;
import org.springframework.context.ApplicationContext;

/** The two web stacks. */
enum Stack {
    SERVLET(Services::onServlets, Client::ofServlets),
    WEBFLUX(Services::onWebFlux, Client::ofWebFlux);

    private final Function<String[], ApplicationContext> service;
    private final Function<ApplicationContext, Client> client;

    Stack(Function<String[], ApplicationContext> service, Function<ApplicationContext, Client> client) {
        this.service = service;
        this.client = client;
    }

    /** Runs this test in a service with a key and these properties. */
    void run(BiConsumer<Client, ApplicationContext> test, String... properties) {
        SharedService shared = SharedService.of(this, properties);
        test.accept(shared.client(), shared.context());
    }

    SharedService start(String... properties) {
        ApplicationContext context = service.apply(properties);
        return new SharedService(context, client.apply(context));
    }
}
