package com.example.foreign;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A service's own filter from before asynchronous dispatches, with state on the thread. */
public final class StrangeFilter implements Filter {

    public static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    public final AtomicInteger calls = new AtomicInteger();

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        calls.incrementAndGet();
        TENANT.set("acme");
        try {
            chain.doFilter(request, response);
        } finally {
            TENANT.remove();
        }
    }
}
