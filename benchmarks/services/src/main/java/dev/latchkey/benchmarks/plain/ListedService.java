package dev.latchkey.benchmarks.plain;

import org.springframework.boot.SpringApplication;

/** Starts the plain service, prints the name of each bean definition, and ends. */
public final class ListedService {

    private ListedService() {}

    public static void main(String[] args) {
        System.setProperty("spring.config.name", "plain");
        try (var service = SpringApplication.run(PlainService.class, args)) {
            for (String name : service.getBeanDefinitionNames()) {
                System.out.println("BEAN " + name);
            }
        }
    }
}
