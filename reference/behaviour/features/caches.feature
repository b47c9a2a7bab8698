Feature: The other maps that are shared
  What is looked up and filled in two critical sections is filled twice, though
  every access is under a lock and the race detector has nothing to report.

  @buggy:duplicate-engine
  Scenario: Two readers open the replica of a file
    Given a database file
    When two readers open its replica, and both look before either writes
    Then both have the same replica
    And closing the pool closes every replica that was opened

  @buggy:duplicate-statement
  Scenario: Two readers prepare one query
    Given a database file
    When two readers prepare one query, and both look before either writes
    Then both have the same statement

  @buggy:two-inside
  Scenario: Two plans are applied on one project
    When two plans ask for the gate of one project, and both look before either writes
    Then only one of them can enter

  @buggy:escaped-map
  Scenario: The list of running jobs belongs to the caller
    Given a running job
    When the caller empties the list of running jobs
    Then the job still runs

  @buggy:race-report
  Scenario Outline: Locks that are forgotten, or let go too early
    When the program "<program>" runs under the race detector
    Then it reports no race in "<package>"

    Examples:
      | program        | package |
      | replicas       | replica |
      | counted jobs   | jobs    |
      | jobs in a list | jobs    |

  Scenario Outline: What the race detector cannot see, in either form
    When the program "<program>" runs under the race detector
    Then it reports no race in "<package>"

    Examples:
      | program    | package |
      | statements | stmts   |
      | gates      | gates   |
