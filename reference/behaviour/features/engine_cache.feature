Feature: One engine for each in-memory URL
  An in-memory database lives in its engine. Those who use its URL in one process
  must get the same engine, or do not see what the others migrate and write.

  A scenario that the buggy form fails says in its tag for which reason.

  Background:
    Given an in-memory URL that no one has used

  @buggy:duplicate-engine
  Scenario: Two units of work are opened at the same time
    When a unit of work and a unit of work look into the cache before either fills it
    Then all have the same engine
    And 1 engine was opened

  @buggy:duplicate-engine
  Scenario: Two migrations run at the same time
    When a migration and a migration look into the cache before either fills it
    Then 1 engine was opened

  @buggy:missing-schema
  Scenario: A unit of work is opened while a migration runs
    When a migration and a unit of work look into the cache before either fills it
    Then every unit of work finds the schema

  @buggy:missing-schema
  Scenario: A migration runs while a unit of work is opened
    When a unit of work and a migration look into the cache before either fills it
    Then every unit of work finds the schema

  @buggy:leaked-engine
  Scenario: Disposal leaves no engine open
    When a unit of work and a unit of work look into the cache before either fills it
    And the URL is disposed of
    Then no engine is open

  @buggy:missing-schema
  Scenario: A unit of work comes while the schema is applied
    When a unit of work comes while a migration applies the schema
    Then every unit of work finds the schema
    And 1 engine was opened

  @buggy:missing-schema
  Scenario: A unit of work comes and nothing has been migrated
    When a unit of work comes
    Then every unit of work finds the schema

  Scenario: A caller does not wait for another URL
    When a unit of work comes while the engine of another URL opens
    Then it did not wait

  @buggy:duplicate-engine
  Scenario: A caller waits for its own URL, and no longer than its context lasts
    When a unit of work comes while the engine of its URL opens, and its context ends
    Then it gave up
    And 1 engine was opened

  Scenario Outline: However a database in memory is spelt
    Given the in-memory URL "<url>"
    When a migration comes
    And a unit of work comes
    Given the in-memory URL "<same>"
    When a unit of work comes
    Then all have the same engine
    And 1 engine was opened
    And every unit of work finds the schema
    When the URL is disposed of
    Then no engine is open

    Examples:
      | url                | same               |
      | :memory:           | :memory:           |
      | sqlite:///:memory: | :memory:           |
      | memory:            | sqlite:///:memory: |
      | sqlite://          | memory:            |

  Scenario: Who comes later finds the engine
    When a migration comes
    And a unit of work comes
    And a migration comes
    And a unit of work comes
    Then all have the same engine
    And 1 engine was opened
    And every unit of work finds the schema

  Scenario: The engine outlives the unit of work
    When a unit of work comes
    And every unit of work is closed
    And a unit of work comes
    Then all have the same engine
    And 1 engine was opened

  Scenario: After disposal there is a new engine
    When a unit of work comes
    And the URL is disposed of
    Then no engine is open
    When a unit of work comes
    Then 2 engines were opened

  Scenario Outline: An engine that cannot be opened is not kept
    Given engines cannot be opened
    When <user> comes
    Then it is refused
    Given engines can be opened
    When <user> comes
    Then 1 engine was opened

    Examples:
      | user           |
      | a unit of work |
      | a migration    |

  Scenario: A file has an engine for each who opens it
    Given the URL of a file
    When a migration comes
    Then no engine is open
    When a unit of work comes
    And a unit of work comes
    Then 3 engines were opened
    And every unit of work finds the schema
    When every unit of work is closed
    Then no engine is open

  @buggy:race-report
  Scenario Outline: The race detector has nothing to report of the cache
    When the program "<program>" runs under the race detector
    Then it reports no race in "<package>"

    Examples:
      | program       | package |
      | units of work | uow     |
      | migrations    | migrate |
